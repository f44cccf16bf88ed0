// File upload: http.file in an object makes a multipart form.
import http from 'k6/http';

const picture = open('./data/upload.txt', 'b');

export default function () {
  const res = http.post(`${__ENV.BASE}/post`, {
    field: 'plain value',
    doc: http.file(picture, 'notes.txt', 'text/plain'),
    raw: http.file('inline text'),
  });
  const seen = res.json();
  console.log(seen.headers['content-type'].split(';')[0]);
  seen.multipart.forEach((part) => {
    const name = part.disposition.replace(/filename="[0-9]+"/, 'filename="NUMBER"');
    console.log(name, part.content_type, part.body.trim());
  });
}
