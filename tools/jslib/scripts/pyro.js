import pyroscope from 'https://jslib.k6.io/http-instrumentation-pyroscope/1.0.2/index.js';
import http from 'k6/http';
pyroscope.instrumentHTTP();
export default function(){ const r=http.get('http://127.0.0.1:8080/t'); console.log(r.status, r.request.headers.Baggage !== undefined) }
