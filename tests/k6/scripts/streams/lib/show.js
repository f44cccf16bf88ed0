// What an error or a value is, in one line, without what engines word differently.
export function show(e) {
  const shown = [typeof e, e instanceof Error, e instanceof TypeError, e instanceof RangeError];
  if (e !== null && typeof e === 'object') shown.push(e.name, e.message, JSON.stringify(e));
  else shown.push(String(e));
  return shown.join(' | ');
}
export function attempt(name, f) {
  try {
    const value = f();
    console.log(name, 'gives', typeof value, JSON.stringify(value));
    return value;
  } catch (e) {
    console.log(name, 'throws', show(e));
  }
}
export async function settled(name, promise) {
  try {
    const value = await promise;
    console.log(name, 'resolves', typeof value, value && 'done' in value ? `${JSON.stringify(value.value)} ${value.done}` : JSON.stringify(value));
    return value;
  } catch (e) {
    console.log(name, 'rejects', show(e));
  }
}
export async function drain(reader) {
  const chunks = [];
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return chunks;
    chunks.push(value);
  }
}
// A stream and its controller.
export function controlled(ReadableStream, source, strategy) {
  let controller;
  const stream = new ReadableStream(Object.assign({ start(c) { controller = c; } }, source), strategy);
  return { stream, controller };
}
