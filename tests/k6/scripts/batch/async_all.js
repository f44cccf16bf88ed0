// Promise.all of requests: all at once, answers in order.
import http from 'k6/http';

export default async function () {
  const start = Date.now();
  const answers = await Promise.all([300, 200, 100].map((ms) => http.asyncRequest('GET', `${__ENV.BASE}/delay/${ms}`)));
  console.log(answers.map((r) => r.json('delay')).join(), Date.now() - start < 550);
}
