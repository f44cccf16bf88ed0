// What the engine says of the mistakes that scripts make most.
class Page {}
class Part extends Page {
  constructor() {
    this.early = 1;
  }
}
const mistakes = [
  () => undefined.user,
  () => null.user,
  () => ({}).user.name,
  () => { let list; return list[0]; },
  () => { let user; user.name = 'x'; },
  () => { let user; user.login(); },
  () => { const user = { inner: {} }; user.inner.deep.login(1); },
  () => { const user = {}; user.login(1, 2); },
  () => { const user = { a: {} }; user.a.login(user.a.b ? 1 : 2, () => 3); },
  () => { const user = {}; user.first(user.second ? user.second() : [user.third]); },
  () => { const user = { name: undefined }; user.name(); },
  () => { const user = { name: 'text' }; user.name(); },
  () => { const user = { name: {} }; user.name(); },
  () => 'text'.trimm(),
  () => (5).toFixd(2),
  () => [1].mapp((x) => x),
  () => Math.rnd(),
  () => { const five = 5; five(); },
  () => { let nothing; nothing(); },
  () => new (() => 1)(),
  () => { const Nothing = undefined; new Nothing(); },
  () => Page(),
  () => new Part(),
  () => { const fixed = 1; fixed = 2; },
  () => { for (const i = 0; i < 2; i++); },
  () => { Object.freeze({ a: 1 }).a = 2; },
  () => { late; let late = 1; },
  () => unknown,
  () => unknown(),
  () => { for (const x of 5); },
  () => { for (const x of {}); },
  () => { const [a] = {}; return a; },
  () => { const [a] = undefined; return a; },
  () => [...undefined],
  () => { const { a } = undefined; return a; },
  () => { const { a: { b } } = {}; return b; },
  () => (({ a }) => a)(null),
  () => 'x' in 5,
  () => ({}) instanceof 5,
  () => [1].map(),
  () => [1].forEach('x'),
  () => [1].filter({}),
  () => [].reduce((a) => a),
  () => new Promise(5),
  () => { const loop = {}; loop.loop = loop; JSON.stringify(loop); },
  () => `${Symbol('s')}`,
  () => 'a'.repeat(-1),
  () => new Date(NaN).toISOString(),
  () => decodeURIComponent('%'),
];

export default function () {
  mistakes.forEach((mistake, i) => {
    try {
      mistake();
      console.log(i, 'nothing');
    } catch (e) {
      console.log(i, e.name, e.message);
    }
  });
}
