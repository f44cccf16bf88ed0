// Promise.all, allSettled, any, race, finally.
export default async function () {
  const no = () => Promise.reject(new Error('no'));
  console.log((await Promise.allSettled([1, no()])).map((r) => r.status).join());
  console.log(await Promise.any([no(), Promise.resolve('yes')]));
  try {
    await Promise.all([1, no()]);
  } catch (error) {
    console.log(error.message);
  } finally {
    console.log('finally');
  }
  try {
    await Promise.any([no()]);
  } catch (error) {
    console.log(error.name);
  }
}
