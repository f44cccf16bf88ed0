// import() as a function.
export default async function () {
  try {
    await import('./lib/greet.js');
    console.log('loaded');
  } catch (error) {
    console.log('refused');
  }
}
