// @args --user-agent mine --vus 3
// @ordered
import exec from 'k6/execution';

// The consolidated options stand in the script's own `options` for every user.
export const options = {
  vus: 2,
  iterations: 6,
  tags: { team: 'a' },
  noConnectionReuse: true,
  minIterationDuration: 5,
  setupTimeout: 3000,
  summaryTrendStats: ['avg'],
  systemTags: ['url', 'status'],
  hosts: { 'a.test': '127.0.0.1' },
  tlsVersion: 'tls1.2',
  thresholds: { iterations: ['count>=0', { threshold: 'rate>=0', abortOnFail: true, delayAbortEval: '1s' }] },
};

const facts = () => {
  const names = Object.keys(options).filter((name) => name !== 'scenarios');
  return names.map((name) => `${name} ${typeof options[name]} ${JSON.stringify(options[name])}`).join('\n');
};

export function setup() {
  console.log(`setup\n${facts()}`);
  options.vus = 77;
}

export default function () {
  if (exec.scenario.iterationInTest === 0) {
    console.log(`iteration\n${facts()}`);
  }
}

export function handleSummary() {
  return { stdout: `${options.vus} ${options.userAgent} ${typeof options.scenarios}\n` };
}
