// What k6 gives has its members in no order of its own, and a space of either kind after `proto:`.
function sorted(value) {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== 'object') return value;
  const out = {};
  for (const key of Object.keys(value).sort()) out[key] = sorted(value[key]);
  return out;
}
export function show(value) {
  const text = JSON.stringify(value);
  return text === undefined ? 'undefined' : JSON.stringify(sorted(JSON.parse(text))).replace(/proto:\\?u?0?0?a?0?\s?/g, 'proto: ').replace(/\u00a0/g, ' ');
}
export function attempt(name, what) {
  try {
    console.log(name, show(what()));
  } catch (error) {
    console.log(name, 'threw', error.name, error.message.replace(/\u00a0/g, ' '));
  }
}
export const address = (base) => base.split('//')[1];
export const PLAIN = address(__ENV.GRPC_BASE);
export const SECURE = address(__ENV.GRPC_TLS_BASE);
export const MUTUAL = address(__ENV.GRPC_MTLS_BASE);
