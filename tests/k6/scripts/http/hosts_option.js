// hosts sends a name to an address.
import http from 'k6/http';

const target = __ENV.BASE.replace('http://', '');
export const options = { hosts: { 'shop.example': target, '*.wild.example': target, 'port.example:8080': target } };

export default function () {
  console.log(http.get('http://shop.example/get').json('headers.host'));
  console.log(http.get('http://a.wild.example/get').json('headers.host'));
  console.log(http.get('http://port.example:8080/get').json('headers.host'));
}
