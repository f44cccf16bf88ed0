// exec in init code: what is not there yet.
import exec from 'k6/execution';

const messages = [];
for (const read of [() => exec.scenario.name, () => exec.instance.vusActive, () => exec.vu.idInTest, () => exec.test.options]) {
  try {
    read();
    messages.push('no error');
  } catch (error) {
    messages.push(error.message.split('\n')[0]);
  }
}

export default function () {
  messages.forEach((m) => console.log(m));
}
