// A circular object.
export default function () {
  const a = { name: 'a' };
  a.self = a;
  console.log(a);
  console.log([a]);
}
