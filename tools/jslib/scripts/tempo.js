import tempo from 'https://jslib.k6.io/http-instrumentation-tempo/1.0.1/index.js';
import http from 'k6/http';
tempo.instrumentHTTP({propagator:'w3c'});
export default function(){ const r=http.get('http://127.0.0.1:8080/t'); console.log(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/.test(r.json('headers.traceparent'))) }
