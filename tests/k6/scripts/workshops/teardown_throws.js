// @exit 107
// teardown throws: the summary is still made.
import { Counter } from 'k6/metrics';
const c = new Counter('torn');
export const options = { iterations: 2, teardownTimeout: '5s' };
export function setup() { c.add(1); return { list: [1, { a: null }], when: new Date(0), no: undefined }; }
export default function (data) { console.log(data.list.length, data.list[1].a, data.when, typeof data.when, 'no' in data); c.add(data.list.length); }
export function teardown(data) { c.add(10); throw new TypeError('torn'); }
export function handleSummary(data) { console.log(JSON.stringify(data.metrics.torn.values.count), data.setup_data.list[0]); return {}; }
