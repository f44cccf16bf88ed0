// What cannot be a SharedArray.
import { SharedArray } from 'k6/data';

const messages = [];
for (const [name, make] of [
  ['object', () => ({})],
  ['text', () => 'abc'],
  ['nothing', () => undefined],
  ['async', async () => []],
  ['', () => []],
]) {
  try {
    const list = new SharedArray(name, make);
    messages.push(`${name}: length ${list.length}`);
  } catch (error) {
    messages.push(`${name}: ${error.message.split('\n')[0]}`);
  }
}

export default function () {
  messages.forEach((m) => console.log(m));
}
