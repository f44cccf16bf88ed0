// A bundle as webpack writes it.
(() => {
  'use strict';
  var modules = {
    10: (module) => {
      module.exports = require('k6/http');
    },
    20: (module, exports, load) => {
      module.exports = require('k6');
    },
  };
  var cache = {};
  function load(id) {
    var cached = cache[id];
    if (cached !== undefined) return cached.exports;
    var module = (cache[id] = { exports: {} });
    modules[id](module, module.exports, load);
    return module.exports;
  }
  load.d = (exports, definition) => {
    for (var key in definition) Object.defineProperty(exports, key, { enumerable: true, get: definition[key] });
  };
  load.r = (exports) => {
    Object.defineProperty(exports, Symbol.toStringTag, { value: 'Module' });
    Object.defineProperty(exports, '__esModule', { value: true });
  };
  var out = {};
  load.r(out);
  load.d(out, { default: () => main, options: () => options });
  const http = load(10);
  const k6 = load(20);
  const options = { iterations: 2 };
  function main() {
    const res = http.get(`${__ENV.BASE}/get`);
    k6.check(res, { up: (r) => r.status === 200 });
    console.log('bundled', res.status);
  }
  var target = exports;
  for (var key in out) target[key] = out[key];
  if (out.__esModule) Object.defineProperty(target, '__esModule', { value: true });
})();
