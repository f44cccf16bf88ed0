// Named imports of k6/http.
import { get, post, del, request } from 'k6/http';

export default function () {
  const url = `${__ENV.BASE}/anything`;
  console.log(get(url).status, post(url, 'x').json('body'), del(url).json('method'), request('PUT', url, 'p').json('method'));
}
