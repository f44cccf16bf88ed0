// Users of a finished scenario serve the next one; their state stays.
let calls = 0;

export const options = {
  scenarios: {
    a: { executor: 'per-vu-iterations', vus: 1, iterations: 2, exec: 'work' },
    b: { executor: 'per-vu-iterations', vus: 1, iterations: 2, startTime: '2s', maxDuration: '1s', exec: 'work' },
    },
};
options.scenarios.a.maxDuration = '1s';
options.scenarios.a.gracefulStop = '0s';

export function work() {
  calls++;
  console.log(`vu ${__VU} calls ${calls} iter ${__ITER}`);
}
