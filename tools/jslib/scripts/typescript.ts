import { randomString } from 'https://jslib.k6.io/k6-utils/1.4.0/index.js';
import type { Options } from 'k6/options';
export const options: Options = { vus: 2, iterations: 4 };
export default (): void => { const s: string = randomString(4); console.log(s.length); }
