// All that k6/execution tells, in setup, scenarios and teardown.
import exec from 'k6/execution';
export const options = {
  discardResponseBodies: true, tags: { team: 'sea' },
  scenarios: { one: { executor: 'per-vu-iterations', vus: 1, iterations: 2, exec: 'one' }, two: { executor: 'shared-iterations', vus: 1, iterations: 1, exec: 'two', startTime: '700ms', tags: { s: '2' } } },
  thresholds: { iterations: [{ threshold: 'count>=3', abortOnFail: false }] },
};
const tell = (where) => {
  const out = { where };
  for (const [name, f] of Object.entries({
    scenario: () => `${exec.scenario.name}/${exec.scenario.executor}/${exec.scenario.iterationInTest}/${exec.scenario.iterationInInstance}`,
    vu: () => `${exec.vu.idInInstance > 0}/${exec.vu.iterationInInstance}/${exec.vu.iterationInScenario}`,
    instance: () => where === 'init' ? 'left out' : `${exec.instance.iterationsInterrupted}/${exec.instance.vusInitialized}/${exec.instance.currentTestRunDuration >= 0}`,
    options: () => `${exec.test.options.discardResponseBodies}/${exec.test.options.tags?.team}/${Object.keys(exec.test.options.scenarios).sort()}/${exec.test.options.scenarios.two.startTime}/${JSON.stringify(exec.test.options.thresholds)}`,
    progress: () => typeof exec.scenario.progress, start: () => exec.scenario.startTime <= Date.now(),
  })) { try { out[name] = f(); } catch (e) { out[name] = `! ${e.message ?? e}`; } }
  console.log(JSON.stringify(out));
};
tell('init');
export function setup() { tell('setup'); return 1; }
export function one() { tell('one'); exec.vu.metrics.metadata.trace = 'm'; exec.vu.metrics.tags.own = 5; console.log(exec.vu.metrics.tags.own, exec.vu.metrics.tags.team, exec.vu.metrics.metadata.trace); try { exec.vu.metrics.tags.bad = {}; } catch (e) { console.log(e.message); } delete exec.vu.metrics.tags.own; console.log(exec.vu.metrics.tags.own); }
export function two() { tell('two'); try { exec.vu.tags.old = 1; console.log('vu.tags'); } catch (e) { console.log(e.message); } }
export function teardown(d) { tell(`teardown ${d}`); }
