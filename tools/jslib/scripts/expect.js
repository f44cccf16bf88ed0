import { describe } from 'https://jslib.k6.io/expect/0.0.5/index.js';
import http from 'k6/http';
export default function(){ describe('one',(t)=>{ const r=http.get('http://127.0.0.1:8080/x'); t.expect(r.status).as('status').toEqual(200).and(r).toHaveValidJson() }); console.log(describe('two',(t)=>{ t.expect(1).toEqual(2) })) }
