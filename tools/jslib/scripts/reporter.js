import { htmlReport } from 'https://raw.githubusercontent.com/benc-uk/k6-reporter/main/dist/bundle.js';
import http from 'k6/http'; import { check, group } from 'k6';
export const options={thresholds:{http_req_duration:['p(95)<5000']}};
export default function(){ group('g',()=>{ check(http.get('http://127.0.0.1:8080/x'),{ok:r=>r.status===200}) }) }
export function handleSummary(d){ const h=htmlReport(d); return {'r.html':h, stdout: `${h.length>5000} ${h.includes('http_req_duration')} ${h.includes('Checks')}\n`} }
