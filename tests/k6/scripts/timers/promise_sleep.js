// A sleep that awaits.
const wait = (ms) => new Promise((done) => setTimeout(done, ms));

export default async function () {
  const start = Date.now();
  await wait(100);
  await Promise.all([wait(100), wait(150)]);
  const took = Date.now() - start;
  console.log(took >= 245, took < 1000);
}
