// Binary protocols by hand: DataView, typed arrays of every kind, endianness, sent and echoed.
import http from 'k6/http';
export default function () {
  const buffer = new ArrayBuffer(24);
  const view = new DataView(buffer);
  view.setUint16(0, 0xbeef); view.setInt32(2, -5, true); view.setFloat64(8, Math.PI); view.setBigInt64(16, -9007199254740993n);
  const r = http.post(`${__ENV.BASE}/post`, buffer, { headers: { 'Content-Type': 'application/octet-stream' } });
  console.log(r.json('length'), r.request.body?.length ?? typeof r.request.body);
  console.log(view.getUint8(0), view.getInt32(2, true), view.getFloat64(8), view.getBigInt64(16).toString());
  for (const body of [new Uint8Array([65, 66]), new Uint16Array([65]), new Float32Array([1]), new DataView(new ArrayBuffer(3)), new Uint8Array(buffer, 2, 4)]) {
    try { console.log(body.constructor.name, http.post(`${__ENV.BASE}/post`, body).json('length')); } catch (e) { console.log(body.constructor.name, e.message ?? e); }
  }
  const a = Uint8Array.from({ length: 5 }, (_, i) => i * i);
  console.log(a.subarray(1, 3).join(), a.slice(-2).join(), [...a.entries()].flat().join(), a.with ? a.with(0, 9).join() : 'none', new Uint8ClampedArray([300, -5]).join());
  const b = buffer.slice(0, 2); console.log(b.byteLength, ArrayBuffer.isView(a));
  const big = http.get(`${__ENV.BASE}/bytes/32?seed=9`, { responseType: 'binary' }).body;
  console.log(new Uint32Array(big).length, new TextDecoder('utf-8').decode(new TextEncoder().encode('부하')));
}
