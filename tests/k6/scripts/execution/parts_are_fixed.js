import exec from 'k6/execution';

const told = (name, work) => {
  try {
    console.log(name, work());
  } catch (error) {
    console.log(name, `${error}`);
  }
};

// In init code the parts that need a running user fail when they are asked for.
if (__VU === 0) {
  told('keys', () => Object.keys(exec).sort());
  told('instance', () => typeof exec.instance);
  told('scenario', () => typeof exec.scenario);
  told('vu', () => typeof exec.vu);
  told('test', () => Object.keys(exec.test).sort());
}

export default function () {
  told('set scenario', () => { exec.scenario = 1; });
  told('set vu', () => { exec.vu = 1; });
  told('set instance', () => { exec.instance = 1; });
  told('set test', () => { exec.test = 1; });
  told('set name', () => { exec.scenario.name = 'x'; });
  told('set id', () => { exec.vu.idInTest = 7; });
  told('set abort', () => { exec.test.abort = 7; });
  told('set option', () => { exec.test.options.vus = 7; });
  told('delete', () => delete exec.scenario);
  told('add', () => { exec.extra = 7; return exec.extra; });
  told('still', () => `${exec.scenario.name} ${exec.vu.idInTest} ${typeof exec.test.abort}`);
}
