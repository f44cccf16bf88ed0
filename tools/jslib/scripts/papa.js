import papaparse from 'https://jslib.k6.io/papaparse/5.1.1/index.js';
import { SharedArray } from 'k6/data';
const rows=new SharedArray('rows',()=>papaparse.parse('a,b\n1,"x,y"\n2,z\n',{header:true,skipEmptyLines:true}).data);
export default function(){ console.log(rows.length, JSON.stringify(rows[0])); console.log(papaparse.unparse([{a:1,b:'q"r'}])) }
