// The language as of 2022.
class Counter {
  #count = 0;
  static made = 0;
  static {
    Counter.made = 10;
  }
  get count() {
    return this.#count;
  }
  add(n = 1) {
    this.#count += n;
    return this;
  }
}

export default function () {
  const { a, ...rest } = { a: 1, b: 2, c: 3 };
  console.log(a, JSON.stringify(rest), new Counter().add().add(4).count, Counter.made);
  console.log([1, [2, [3, [4]]]].flat(Infinity).join(), [1, 2, 3].at(-1), [3, 1, 2].toSorted().join(), 'a-b-c'.replaceAll('-', '+'));
  let x = null;
  x ??= 5;
  console.log(x, x?.y?.z, 2n ** 64n, Object.fromEntries([['k', 1]]).k, Object.hasOwn({ q: 1 }, 'q'));
  console.log([...'héllo'].length, 'abc'.padStart(5, '*'), Number('0x1f'), 1_000_000, (0.1 + 0.2).toFixed(2), parseInt('12px'));
  console.log([5, 25, 100, 1].sort().join(), [1, 2, 3, 4].findLast((n) => n % 2), new Error('e', { cause: 'c' }).cause);
  const generator = (function* () {
    yield 1;
    yield* [2, 3];
  })();
  console.log([...generator].join(), Array.from({ length: 3 }, (_, i) => i * i).join(), /(\d+)-(?<=x-)/.test('1-'), 'x'.codePointAt(0));
  console.log(new Date(Date.UTC(2024, 1, 29)).toISOString(), JSON.stringify({ d: new Date(0), u: undefined, n: NaN }));
  label: for (let i = 0; i < 3; i++) for (let j = 0; j < 3; j++) if (i * j === 2) break label;
  console.log(`${[1, 2].map((n) => `<${n}>`).join('')}`, String.raw`a\nb`, new Intl_().ok);
}

class Intl_ {
  ok = 'fields work';
}
