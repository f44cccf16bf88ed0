import { Httpx, Get, Post } from 'https://jslib.k6.io/httpx/0.1.0/index.js';
import { check } from 'k6';
const session=new Httpx({baseURL:'http://127.0.0.1:8080',headers:{'X-A':'1'},timeout:20000});
export default function(){ const r=session.get('/g'); console.log(r.status, r.json('headers.x-a')); session.addHeader('Authorization','t'); console.log(session.post('/p',{a:1}).json('body')); const rs=session.batch([new Get('/1'),new Post('/2','b')]); console.log(rs.map(x=>x.json('path')).join()); check(r,{ok:x=>x.status===200}) }
