// What `console` is to a script.
export default function () {
  console.log(Object.keys(console), Object.getOwnPropertyNames(console));
  console.log(JSON.stringify(console), `${console}`, 'log' in console, typeof console.table);
  console.log(console);
  const names = [];
  for (const name in console) names.push(name);
  console.log(names.join());
  ['a', 'b'].forEach(console.warn);
}
