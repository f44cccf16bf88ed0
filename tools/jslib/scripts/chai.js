import { describe, expect } from 'https://jslib.k6.io/k6chaijs/4.5.0.1/index.js';
import http from 'k6/http';
export default function(){ describe('page', ()=>{ const r=http.get('http://127.0.0.1:8080/x'); expect(r.status,'status').to.equal(200); expect(r).to.have.validJsonBody(); expect(r.json(),'json').to.have.property('method','GET'); }); describe('wrong',()=>{ expect(1,'one').to.equal(2) }) }
