import { FormData } from 'https://jslib.k6.io/formdata/0.0.2/index.js';
import http from 'k6/http';
export default function(){ const fd=new FormData(); fd.append('name','v'); fd.append('file',http.file('abc','a.txt','text/plain')); const r=http.post('http://127.0.0.1:8080/p',fd.body(),{headers:{'Content-Type':'multipart/form-data; boundary='+fd.boundary}}); const b=r.json('body'); console.log(b.split(fd.boundary).join('B').length, b.split(fd.boundary).join('B')) }
