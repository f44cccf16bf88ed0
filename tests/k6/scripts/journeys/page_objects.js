// Classes as page objects, with base URL and default headers.
import http from 'k6/http';
import { check } from 'k6';

class Client {
  constructor(base, headers = {}) {
    this.base = base;
    this.headers = headers;
  }
  get(path, params = {}) {
    return http.get(`${this.base}${path}`, { ...params, headers: { ...this.headers, ...params.headers } });
  }
}

class ShopPage extends Client {
  open() {
    const res = this.get('/anything/shop', { headers: { 'X-Page': 'shop' } });
    check(res, { 'shop opened': (r) => r.json('headers.x-page') === 'shop' && r.json('headers.x-app') === 'test' });
    return this;
  }
}

export default function () {
  console.log(new ShopPage(__ENV.BASE, { 'X-App': 'test' }).open() instanceof ShopPage);
}
