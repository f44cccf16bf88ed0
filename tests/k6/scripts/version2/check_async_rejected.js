// An iteration that rejects.
export default async function () {
  await null;
  throw new TypeError('later');
}
