// @env HTTP_PROXY=http://127.0.0.1:1
// @env NO_PROXY=shop.example
// NO_PROXY exempts a name.
import http from 'k6/http';

export const options = { hosts: { 'shop.example': __ENV.BASE.replace('http://', '') } };

export default function () {
  console.log(http.get('http://shop.example/get').status);
  console.log(http.get('http://other.example/get').error_code);
}
