import { URL, URLSearchParams } from 'https://jslib.k6.io/url/1.0.0/index.js';
export default function(){ const u=new URL('https://a.b/c?d=e'); u.searchParams.append('f','g h'); console.log(u.toString(), new URLSearchParams([['a','1']]).toString()) }
