// Streams work on where a script replaced what they could lean on.
import { ReadableStream } from 'k6/experimental/streams';

const then = Promise.prototype.then;
let calls = 0;
Promise.prototype.then = function (...args) { calls++; return then.apply(this, args); };
Object.prototype.size = undefined;
Object.prototype.pull = function (controller) { controller.enqueue('from the prototype'); controller.close(); };

export default async function () {
  const reader = new ReadableStream().getReader();
  console.log((await reader.read()).value, (await reader.read()).done, calls > 0);
  delete Object.prototype.pull;
  const own = new ReadableStream({ start(c) { c.enqueue(1); c.enqueue(2); c.close(); } }).getReader();
  console.log((await own.read()).value, (await own.read()).value, (await own.read()).done);
}
