import jsonpath from 'https://jslib.k6.io/jsonpath/1.0.2/index.js';
export default function(){ console.log(JSON.stringify(jsonpath.query({a:[{b:1},{b:2}]},'$.a[*].b'))) }
