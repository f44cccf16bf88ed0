// What http.file returns.
import http from 'k6/http';

export default function () {
  const file = http.file('abc', 'a.txt', 'text/csv');
  console.log(file.filename, file.content_type, typeof file.data);
  console.log(http.file('abc').content_type, typeof http.file('abc').filename);
}
