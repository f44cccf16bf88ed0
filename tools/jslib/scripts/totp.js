import { TOTP } from 'https://jslib.k6.io/totp/1.0.0/index.js';
export default async function(){ const t=new TOTP('GEZDGNBVGY3TQOJQ',6); const a=await t.gen(0); console.log(a, await t.gen(30000)); }
