// html(selector) finds at once.
import http from 'k6/http';

export default function () {
  const res = http.get(`${__ENV.BASE}/html`);
  console.log(res.html('p.lead').text(), res.html('a#second').attr('href'), res.html('td').map((i, el) => el.text()).join());
}
