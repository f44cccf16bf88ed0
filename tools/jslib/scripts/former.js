import { randomString, randomIntBetween } from 'https://jslib.k6.io/k6-utils/1.0.0/index.js';
import { textSummary } from 'https://jslib.k6.io/k6-summary/0.0.1/index.js';
export default function(){ console.log(randomString(3).length, randomIntBetween(1,1)) }
export function handleSummary(data){ return { stdout: textSummary(data,{indent:'→',enableColors:true}).replace(/\d+\.\d+(µs|ms|s|\/s)/g,'#').replace(/\.+/g,'.') } }
