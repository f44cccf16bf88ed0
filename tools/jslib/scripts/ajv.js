import Ajv from 'https://jslib.k6.io/ajv/6.12.5/index.js';
export default function(){ const v=new Ajv(); console.log(v.validate({type:'object',required:['a']},{a:1}), v.validate({type:'number'},'x'), v.errorsText()) }
