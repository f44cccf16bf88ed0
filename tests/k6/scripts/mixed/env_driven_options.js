// @env STAGES=[{"duration":"300ms","target":2},{"duration":"0s","target":0}]
// @env SLO=2000
// @args -e NAME=from-flag -e EMPTY= --tag run=nightly
// @compare stdout executed|scenarios|max VUs
// Options made of the environment.
import exec from 'k6/execution';
import { sleep } from 'k6';
const stages = JSON.parse(__ENV.STAGES || '[]');
export const options = { stages, thresholds: { [`iteration_duration`]: [`p(95)<${+__ENV.SLO || 500}`] }, tags: { team: `${__ENV.NAME}` }, userAgent: 'own/1', setupTimeout: '5s', summaryTrendStats: ['avg', 'p(99.9)'] };
export function setup() { console.log(JSON.stringify(exec.test.options.tags), exec.test.options.userAgent, exec.test.options.setupTimeout, JSON.stringify(exec.test.options.scenarios.default.stages)); return { at: 5 }; }
export default function ({ at }) { sleep(0.1); if (__ITER === 0) console.log(at, __ENV.NAME, JSON.stringify(__ENV.EMPTY), 'EMPTY' in __ENV, typeof __ENV.NOT); }
export function teardown(d) { console.log('down', JSON.stringify(d)); }
