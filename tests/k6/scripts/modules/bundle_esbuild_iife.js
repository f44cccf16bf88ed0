// A bundle as esbuild writes it, with ES exports at its end.
var __defProp = Object.defineProperty;
var __name = (target, value) => __defProp(target, 'name', { value, configurable: true });
import http from 'k6/http';
var options = { iterations: 1 };
function main() {
  console.log('esbuild', http.get(`${__ENV.BASE}/get`).status, main.name);
}
__name(main, 'main');
export { main as default, options };
