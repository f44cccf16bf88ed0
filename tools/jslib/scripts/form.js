import urlencode from 'https://jslib.k6.io/form-urlencoded/3.0.0/index.js';
export default function(){ console.log(urlencode({a:[1,2],b:{c:'d e'}})) }
