// A client of one's own in TypeScript.
import { check } from 'k6';
import { Options } from 'k6/options';
import { Api } from './lib/api.ts';

enum Role { Reader = 'reader', Writer = 'writer' }

export const options: Options = {
  vus: 1,
  iterations: 2,
  thresholds: { 'http_req_duration{name:auth}': ['p(95)<2000'] },
};

const api = new Api(__ENV.BASE!);

export default function (): void {
  const ok = api.authenticate(Role.Reader);
  check(api.me(), { 'is me': (r) => ok && (r.json() as { user: string }).user === Role.Reader });
}
