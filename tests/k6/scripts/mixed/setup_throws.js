// @exit 107
// Set-up that fails ends the test.
import http from 'k6/http';
export function setup() { const r = http.get(`${__ENV.BASE}/status/500`); if (r.status !== 200) throw new Error(`seed failed: ${r.status}`); }
export default function () { console.log('never'); }
export function teardown() { console.log('never, too'); }
