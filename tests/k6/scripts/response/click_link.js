// clickLink follows a link of the page.
import http from 'k6/http';

export default function () {
  const page = http.get(`${__ENV.BASE}/links`);
  console.log(page.clickLink().json('path'));
  console.log(page.clickLink({ selector: 'a.relative' }).json('path'));
  const own = page.clickLink({ selector: 'a.next', params: { headers: { 'X-Own': '1' } } });
  console.log(own.json('headers.x-own'));
}
