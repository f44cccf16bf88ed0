// clickLink without such a link.
import http from 'k6/http';

export default function () {
  const page = http.get(`${__ENV.BASE}/links`);
  try {
    page.clickLink({ selector: 'a.nope' });
  } catch (error) {
    console.log(error.message);
  }
}
