// A class of the script's that extends ReadableStream.
import { ReadableStream } from 'k6/experimental/streams';
import { drain } from './lib/show.js';

class Lines extends ReadableStream {
  constructor(text) {
    const lines = text.split('\n');
    super({ pull(controller) { if (lines.length) controller.enqueue(lines.shift()); else controller.close(); } });
  }
  async all() { return drain(this.getReader()); }
}

export default async function () {
  const lines = new Lines('a\nb\nc');
  console.log(lines instanceof Lines, lines.locked, Object.getPrototypeOf(lines) === Lines.prototype);
  console.log((await lines.all()).join('|'));
}
