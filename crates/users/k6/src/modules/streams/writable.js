// WritableStream and its default writer, by the Streams standard. An expression: the function
// that makes the classes. Error texts are those of k6.
(() => {
  'use strict';
  const { Promise, TypeError, RangeError, Number, Reflect, WeakMap } = globalThis;
  const secret = {};
  const then = (promise, kept, broken) => Reflect.apply(Promise.prototype.then, promise, [kept, broken]);
  const quiet = (promise) => then(promise, undefined, () => undefined);
  const resolvedWith = (value) => new Promise((resolve) => resolve(value));
  const rejectedWith = (reason) => new Promise((_, reject) => reject(reason));

  class Deferred {
    constructor() {
      this.promise = new Promise((resolve, reject) => {
        this.resolve = resolve;
        this.reject = reject;
      });
    }

    static resolved() {
      const deferred = new Deferred();
      deferred.resolve();
      return deferred;
    }

    static rejected(reason) {
      const deferred = new Deferred();
      deferred.reject(reason);
      quiet(deferred.promise);
      deferred.settled = true;
      return deferred;
    }
  }

  function called(sink, hook, args) {
    if (hook === undefined) {
      return resolvedWith(undefined);
    }
    try {
      return resolvedWith(Reflect.apply(hook, sink, args));
    } catch (error) {
      return rejectedWith(error);
    }
  }

  function hookOf(sink, name) {
    const hook = sink[name];
    if (hook !== undefined && typeof hook !== 'function') {
      throw new TypeError(`underlyingSink.[[${name}]] must be a function`);
    }
    return hook;
  }

  // What a stream is inside: state, queue, writer, requests under way.
  class Core {
    constructor(sink, size, highWaterMark) {
      this.state = 'writable';
      this.sink = sink;
      this.size = size;
      this.highWaterMark = highWaterMark;
      this.queue = [];
      this.queued = 0;
      this.requests = [];
      this.backpressure = false;
      this.started = false;
      const target = sink === undefined ? {} : sink;
      for (const name of ['start', 'write', 'close', 'abort']) {
        this[`${name}Hook`] = hookOf(target, name);
      }
      this.controller = new WritableStreamDefaultController(secret, this);
      this.setBackpressure(this.desiredSize() <= 0);
      const begun = this.startHook === undefined
        ? undefined
        : Reflect.apply(this.startHook, sink, [this.controller]);
      then(resolvedWith(begun), () => {
        this.started = true;
        this.advance();
      }, (error) => {
        this.started = true;
        this.deal(error);
      });
    }

    desiredSize() {
      return this.highWaterMark - this.queued;
    }

    isClosing() {
      return this.closeRequest !== undefined || this.closeInFlight !== undefined;
    }

    setBackpressure(on) {
      if (this.writer !== undefined && on !== this.backpressure) {
        if (on) {
          this.writer.ready = new Deferred();
        } else {
          this.writer.ready.resolve();
        }
      }
      this.backpressure = on;
    }

    enqueue(chunk, size) {
      this.queue.push({ chunk, size });
      this.queued += size;
    }

    dequeue() {
      const { size } = this.queue.shift();
      this.queued = this.queue.length === 0 ? 0 : this.queued - size;
    }

    updateBackpressure() {
      if (!this.isClosing() && this.state === 'writable') {
        this.setBackpressure(this.desiredSize() <= 0);
      }
    }

    sizeOf(chunk) {
      if (this.size === undefined) {
        return 1;
      }
      try {
        return this.size(chunk);
      } catch (error) {
        this.errorIfNeeded(error);
        return 1;
      }
    }

    write(chunk, size) {
      try {
        const number = Number(size);
        if (!(number >= 0) || number === Infinity) {
          throw new RangeError('size must be a finite, non-negative number');
        }
        this.enqueue(chunk, number);
      } catch (error) {
        this.errorIfNeeded(error);
        return;
      }
      this.updateBackpressure();
      this.advance();
    }

    advance() {
      if (!this.started || this.writeInFlight !== undefined) {
        return;
      }
      if (this.state === 'erroring') {
        this.finishErroring();
        return;
      }
      if (this.queue.length === 0) {
        return;
      }
      const { chunk } = this.queue[0];
      if (chunk === secret) {
        this.processClose();
      } else {
        this.processWrite(chunk);
      }
    }

    processClose() {
      this.closeInFlight = this.closeRequest;
      this.closeRequest = undefined;
      this.dequeue();
      const done = called(this.sink, this.closeHook, []);
      this.clearHooks();
      then(done, () => this.finishClose(), (error) => this.failClose(error));
    }

    processWrite(chunk) {
      this.writeInFlight = this.requests.shift();
      const done = called(this.sink, this.writeHook, [chunk, this.controller]);
      then(done, () => {
        this.writeInFlight.resolve();
        this.writeInFlight = undefined;
        const before = this.state;
        this.dequeue();
        if (!this.isClosing() && before === 'writable') {
          this.updateBackpressure();
        }
        this.advance();
      }, (error) => {
        if (this.state === 'writable') {
          this.clearHooks();
        }
        this.writeInFlight.reject(error);
        this.writeInFlight = undefined;
        this.deal(error);
      });
    }

    finishClose() {
      this.closeInFlight.resolve();
      this.closeInFlight = undefined;
      if (this.state === 'erroring') {
        this.storedError = undefined;
        if (this.pendingAbort !== undefined) {
          this.pendingAbort.resolve();
          this.pendingAbort = undefined;
        }
      }
      this.state = 'closed';
      if (this.writer !== undefined) {
        this.writer.closed.resolve();
        this.writer.closed.settled = true;
      }
    }

    failClose(error) {
      this.closeInFlight.reject(error);
      this.closeInFlight = undefined;
      if (this.pendingAbort !== undefined) {
        this.pendingAbort.reject(error);
        this.pendingAbort = undefined;
      }
      this.deal(error);
    }

    clearHooks() {
      this.writeHook = undefined;
      this.closeHook = undefined;
      this.abortHook = undefined;
      this.size = undefined;
    }

    errorIfNeeded(error) {
      if (this.state === 'writable') {
        this.clearHooks();
        this.startErroring(error);
      }
    }

    deal(error) {
      if (this.state === 'writable') {
        this.startErroring(error);
      } else {
        this.finishErroring();
      }
    }

    startErroring(reason) {
      this.state = 'erroring';
      this.storedError = reason;
      if (this.writer !== undefined) {
        this.writer.failReady(reason);
      }
      if (this.writeInFlight === undefined && this.closeInFlight === undefined && this.started) {
        this.finishErroring();
      }
    }

    finishErroring() {
      if (this.state !== 'erroring' || this.writeInFlight !== undefined || this.closeInFlight !== undefined) {
        return;
      }
      this.state = 'errored';
      this.queue = [];
      this.queued = 0;
      const error = this.storedError;
      this.requests.forEach((request) => request.reject(error));
      this.requests = [];
      const abort = this.pendingAbort;
      this.pendingAbort = undefined;
      if (abort === undefined) {
        this.rejectCloseAndClosed();
        return;
      }
      if (abort.wasErroring) {
        abort.reject(error);
        this.rejectCloseAndClosed();
        return;
      }
      const done = called(this.sink, this.abortHook, [abort.reason]);
      this.clearHooks();
      then(done, () => {
        abort.resolve();
        this.rejectCloseAndClosed();
      }, (reason) => {
        abort.reject(reason);
        this.rejectCloseAndClosed();
      });
    }

    rejectCloseAndClosed() {
      if (this.closeRequest !== undefined) {
        this.closeRequest.reject(this.storedError);
        this.closeRequest = undefined;
      }
      if (this.writer !== undefined) {
        this.writer.failClosed(this.storedError);
      }
    }

    abort(reason) {
      if (this.state === 'closed' || this.state === 'errored') {
        return resolvedWith(undefined);
      }
      if (this.pendingAbort !== undefined) {
        return this.pendingAbort.promise;
      }
      const wasErroring = this.state === 'erroring';
      const abort = new Deferred();
      abort.reason = wasErroring ? undefined : reason;
      abort.wasErroring = wasErroring;
      this.pendingAbort = abort;
      if (!wasErroring) {
        this.startErroring(reason);
      }
      return abort.promise;
    }

    close() {
      if (this.state === 'closed' || this.state === 'errored') {
        return rejectedWith(new TypeError('stream is already closed or errored'));
      }
      const request = new Deferred();
      this.closeRequest = request;
      if (this.writer !== undefined && this.backpressure && this.state === 'writable') {
        this.writer.ready.resolve();
      }
      this.enqueue(secret, 0);
      this.advance();
      return request.promise;
    }
  }

  // What a writer is inside.
  class WriterCore {
    constructor(core) {
      if (core.writer !== undefined) {
        throw new TypeError('stream is locked');
      }
      this.core = core;
      core.writer = this;
      switch (core.state) {
        case 'writable':
          this.ready = !core.isClosing() && core.backpressure ? new Deferred() : Deferred.resolved();
          this.closed = new Deferred();
          break;
        case 'erroring':
          this.ready = Deferred.rejected(core.storedError);
          this.closed = new Deferred();
          break;
        case 'closed':
          this.ready = Deferred.resolved();
          this.closed = Deferred.resolved();
          this.closed.settled = true;
          break;
        default:
          this.ready = Deferred.rejected(core.storedError);
          this.closed = Deferred.rejected(core.storedError);
      }
    }

    failReady(error) {
      // Whoever waits learns of it, and so does who asks from now on.
      quiet(this.ready.promise);
      this.ready.reject(error);
      this.ready = Deferred.rejected(error);
    }

    failClosed(error) {
      if (this.closed.settled) {
        this.closed = Deferred.rejected(error);
        return;
      }
      this.closed.reject(error);
      this.closed.settled = true;
      quiet(this.closed.promise);
    }

    write(chunk) {
      const { core } = this;
      const size = core.sizeOf(chunk);
      if (this.core === undefined) {
        return rejectedWith(new TypeError('writer was released'));
      }
      if (core.state === 'errored') {
        return rejectedWith(core.storedError);
      }
      if (core.isClosing() || core.state === 'closed') {
        return rejectedWith(new TypeError('stream is closing or closed'));
      }
      if (core.state === 'erroring') {
        return rejectedWith(core.storedError);
      }
      const request = new Deferred();
      core.requests.push(request);
      core.write(chunk, size);
      return request.promise;
    }

    release() {
      const { core } = this;
      const error = new TypeError('writer released');
      this.failReady(error);
      this.failClosed(error);
      core.writer = undefined;
      this.core = undefined;
    }
  }

  const cores = new WeakMap();
  const writers = new WeakMap();
  const controllers = new WeakMap();

  function inside(map, object, name) {
    const found = map.get(object);
    if (found === undefined) {
      throw new TypeError(`value is not a ${name}`);
    }
    return found;
  }

  function promised(map, object, name, work) {
    const found = map.get(object);
    return found === undefined ? rejectedWith(new TypeError(`value is not a ${name}`)) : work(found);
  }

  class WritableStreamDefaultController {
    constructor(key, core) {
      if (key !== secret) {
        throw new TypeError('WritableStreamDefaultController is not constructable');
      }
      controllers.set(this, core);
    }

    error(reason) {
      inside(controllers, this, 'WritableStreamDefaultController').errorIfNeeded(reason);
    }
  }

  class WritableStream {
    constructor(sink, strategy = {}) {
      if (sink !== undefined && (sink === null || typeof sink !== 'object')) {
        throw new TypeError('underlyingSink must be an object');
      }
      const { size, highWaterMark = 1 } = strategy;
      if (size !== undefined && typeof size !== 'function') {
        throw new TypeError('size must be a function');
      }
      if (sink !== undefined && sink.type !== undefined) {
        throw new RangeError("'type' is not supported by WritableStream");
      }
      const mark = Number(highWaterMark);
      if (!(mark >= 0)) {
        throw new RangeError('highWaterMark must be a non-negative number');
      }
      cores.set(this, new Core(sink, size, mark));
    }

    get locked() {
      return inside(cores, this, 'WritableStream').writer !== undefined;
    }

    abort(reason) {
      return promised(cores, this, 'WritableStream', (core) => (core.writer !== undefined
        ? rejectedWith(new TypeError('cannot abort a locked stream'))
        : core.abort(reason)));
    }

    close() {
      return promised(cores, this, 'WritableStream', (core) => {
        if (core.writer !== undefined) {
          return rejectedWith(new TypeError('cannot close a locked stream'));
        }
        if (core.isClosing()) {
          return rejectedWith(new TypeError('stream is already closing'));
        }
        return core.close();
      });
    }

    getWriter() {
      return new WritableStreamDefaultWriter(this);
    }
  }

  class WritableStreamDefaultWriter {
    constructor(stream) {
      const core = cores.get(stream);
      if (core === undefined) {
        throw new TypeError('WritableStreamDefaultWriter argument must be a WritableStream');
      }
      writers.set(this, new WriterCore(core));
    }

    get closed() {
      return promised(writers, this, 'WritableStreamDefaultWriter', (writer) => writer.closed.promise);
    }

    get ready() {
      return promised(writers, this, 'WritableStreamDefaultWriter', (writer) => writer.ready.promise);
    }

    get desiredSize() {
      const { core } = inside(writers, this, 'WritableStreamDefaultWriter');
      if (core === undefined) {
        throw new TypeError('stream is undefined');
      }
      if (core.state === 'errored' || core.state === 'erroring') {
        return null;
      }
      return core.state === 'closed' ? 0 : core.desiredSize();
    }

    abort(reason) {
      return promised(writers, this, 'WritableStreamDefaultWriter', (writer) => (writer.core === undefined
        ? rejectedWith(new TypeError('stream is undefined'))
        : writer.core.abort(reason)));
    }

    close() {
      return promised(writers, this, 'WritableStreamDefaultWriter', ({ core }) => {
        if (core === undefined) {
          return rejectedWith(new TypeError('stream is undefined'));
        }
        if (core.isClosing()) {
          return rejectedWith(new TypeError('stream is already closing'));
        }
        return core.close();
      });
    }

    releaseLock() {
      const writer = inside(writers, this, 'WritableStreamDefaultWriter');
      if (writer.core !== undefined) {
        writer.release();
      }
    }

    write(chunk) {
      return promised(writers, this, 'WritableStreamDefaultWriter', (writer) => (writer.core === undefined
        ? rejectedWith(new TypeError('stream is undefined'))
        : writer.write(chunk)));
    }
  }

  return { WritableStream, WritableStreamDefaultWriter };
})()
