// await at the top of a module.
const value = await Promise.resolve(7);

export default function () {
  console.log(value);
}
