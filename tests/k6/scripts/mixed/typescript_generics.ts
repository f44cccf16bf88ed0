// TypeScript as people write it: generics, enums, namespaces of types, satisfies, overloads, private members.
import http, { RefinedResponse, ResponseType } from 'k6/http';
import { check } from 'k6';
import type { Options, Scenario } from 'k6/options';
enum Level { Low = 1, High = Low << 3, Name = 'n'.length }
const enum Flag { On = 'on' }
type Result<T> = { ok: true; value: T } | { ok: false; error: string };
interface Item { id: number; name?: string; readonly tags: ReadonlyArray<string> }
abstract class Base<T extends object> {
  #calls = 0;
  protected constructor(private readonly base: string, public label: string = 'base') {}
  protected get<U = T>(path: string): Result<U> {
    this.#calls++;
    const res: RefinedResponse<ResponseType | undefined> = http.get(`${this.base}${path}`);
    return res.status === 200 ? { ok: true, value: res.json() as unknown as U } : { ok: false, error: `status ${res.status}` };
  }
  get calls(): number { return this.#calls; }
  abstract all(): Result<T[]>;
}
class Items extends Base<Item> {
  constructor(base: string) { super(base, 'items'); }
  all(): Result<Item[]> { return this.get<Item[]>('/anything/items'); }
  static readonly zero = 0 as const;
  find(id: number): Result<Item>; find(name: string): Result<Item>;
  find(key: number | string) { return this.get<Item>(`/status/${typeof key === 'number' ? key : 404}`); }
}
export const options = { scenarios: { main: { executor: 'per-vu-iterations', vus: 1, iterations: 1 } satisfies Partial<Scenario> } } as Options;
export default function main(): void {
  const items = new Items(__ENV.BASE!);
  const found = items.all();
  const missing = items.find('x');
  check(found, { found: (r): boolean => r.ok, typed: (r) => Items.zero === 0 });
  if (!missing.ok) console.log(missing.error, items.calls, items.label, Level.High, Level[1], Flag.On);
  let maybe: { a?: { b?: number } } | undefined;
  console.log(maybe?.a?.b ?? 'none', (<any>items).label);
}
