// A date that is none is refused by the jar.
import http from 'k6/http';

export default function () {
  try {
    http.cookieJar().set(__ENV.BASE, 'a', 'b', { expires: 'nonsense' });
  } catch (e) {
    console.log(e.name, e.message);
  }
}
