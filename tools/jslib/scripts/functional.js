import { describe } from 'https://jslib.k6.io/functional/0.0.3/index.js';
import http from 'k6/http';
export default function(){ console.log(describe('x',(t)=>{ t.expect(http.get('http://127.0.0.1:8080/x').status).toEqual(200) })) }
