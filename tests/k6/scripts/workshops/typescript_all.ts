// TypeScript as people write it: enums, namespaces' types, decorators of none, generics, satisfies, abstract classes, overloads.
import http, { type RefinedResponse, type ResponseType } from 'k6/http';
import { check } from 'k6';
import type { Options } from 'k6/options';
enum Level { Low = 1, High = Low << 2, Name = 'n'.length }
const enum Mode { A = 'a', B = 'b' }
type Shape = { kind: 'circle'; r: number } | { kind: 'square'; side: number };
interface Named { readonly name: string; tags?: Record<string, string> }
abstract class Base<T extends Named> {
  protected constructor(private readonly inner: T, public count = 0) {}
  abstract say(): string;
  get name(): string { return this.inner.name; }
}
class Ship extends Base<Named> {
  static readonly kinds = ['a', 'b'] as const;
  declare extra: number;
  constructor(name: string) { super({ name }); }
  override say(): string { this.count++; return `${this.name}!${this.count}`; }
}
function area(s: Shape): number;
function area(s: Shape): number { switch (s.kind) { case 'circle': return s.r ** 2; case 'square': return s.side * s.side; default: { const n: never = s; return n; } } }
export const options = { vus: 1, iterations: 1, thresholds: { checks: ['rate==1'] } } satisfies Options;
const first = <T,>(xs: readonly T[]): T | undefined => xs[0];
namespace Util { export const twice = (n: number): number => n * 2; }
export default function (this: void): void {
  const ship = new Ship('Hull');
  const res: RefinedResponse<ResponseType | undefined> = http.get(`${__ENV.BASE}/json`);
  const doc = res.json() as unknown as { store: { books: { id: number; title: string }[] } };
  check(res, { typed: (r): boolean => r!.status === 200 });
  console.log(Level.High, Level[4], Mode.B, ship.say(), ship.say(), area({ kind: 'circle', r: 3 }), first(Ship.kinds), Util.twice(4));
  const label = doc.store.books.map(({ title }) => title satisfies string).join('|');
  let maybe: string | null | undefined = undefined;
  maybe ??= label; const [a, ...rest] = label.split('|'); label?.at?.(-1);
  console.log(maybe, a, rest.length, (<any>ship).inner.name, 'extra' in ship);
}
