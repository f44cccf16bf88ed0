import { expect } from 'https://jslib.k6.io/k6-testing/0.6.1/index.js';
import http from 'k6/http';
export const options={thresholds:{checks:['rate==1']}};
export default async function(){ const r=await http.asyncRequest('GET','http://127.0.0.1:8080/x'); expect(r.status).toBe(200); expect.soft(1).toBe(2); expect([1,2]).toHaveLength(2); expect('x').not.toBe('y'); expect(0.1+0.2).toBeCloseTo(0.3); expect(null).toBeNull(); console.log('done') }
