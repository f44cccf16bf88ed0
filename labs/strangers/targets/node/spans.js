// Spans as OTLP over HTTP in JSON, sent once a second; all calls do nothing where nothing is traced.
'use strict';

const crypto = require('node:crypto');
const http = require('node:http');

const SERVER = 2;
const CLIENT = 3;
const nanos = () => String(BigInt(Math.round((performance.timeOrigin + performance.now()) * 1000)) * 1000n);
const value = (raw) => (typeof raw === 'number' ? { intValue: String(raw) } : { stringValue: raw });

class Tracer {
  constructor(url, service) {
    Object.assign(this, { url, service, spans: [] });
    if (url) setInterval(() => this.deliver(), 1000).unref();
  }

  begin(request, name, attributes) {
    if (!this.url) return undefined;
    const [, trace, parent] = (request.headers.traceparent || '').split('-');
    return this.span(trace || crypto.randomBytes(16).toString('hex'), parent, name, SERVER, attributes);
  }

  child(parent, name, attributes = {}) {
    return parent && this.span(parent.traceId, parent.spanId, name, CLIENT, attributes);
  }

  span(traceId, parentSpanId, name, kind, attributes) {
    return { traceId, spanId: crypto.randomBytes(8).toString('hex'), parentSpanId, name, kind, startTimeUnixNano: nanos(), attributes: { ...attributes } };
  }

  end(span, attributes = {}) {
    if (!span) return;
    const all = Object.entries({ ...span.attributes, ...attributes }).map(([key, raw]) => ({ key, value: value(raw) }));
    this.spans.push({ ...span, attributes: all, endTimeUnixNano: nanos() });
  }

  deliver() {
    const spans = this.spans.splice(0);
    if (!spans.length) return;
    const resource = { attributes: [{ key: 'service.name', value: value(this.service) }, { key: 'telemetry.sdk.language', value: value('nodejs') }, { key: 'process.pid', value: value(process.pid) }] };
    const body = JSON.stringify({ resourceSpans: [{ resource, scopeSpans: [{ scope: { name: 'stranger' }, spans }] }] });
    http.request(this.url, { method: 'POST', headers: { 'Content-Type': 'application/json' } }, (answer) => answer.resume()).on('error', () => {}).end(body);
  }
}

module.exports = { Tracer };
