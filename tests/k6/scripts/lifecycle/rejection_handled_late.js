// A handler added by the same turn's microtasks counts; one added later does not.
export const options = { iterations: 1 };
export default async function () {
  const refused = Promise.reject(new Error('in time'));
  await null;
  await refused.catch((e) => console.log(e.message));
  const late = Promise.reject('late');
  await new Promise((done) => setTimeout(done, 1));
  late.catch(() => console.log('never'));
}
