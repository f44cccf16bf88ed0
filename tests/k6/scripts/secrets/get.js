// @args --secret-source=mock=one=first!,two=second
// secrets of one source, and what the log shows of them.
import secrets from 'k6/secrets';

export default async function () {
  console.log('before: first! second');
  const one = await secrets.get('one');
  console.log('after: first! second', one, one.length, typeof one, JSON.stringify({ one }));
  console.error('error: first!');
  console.warn((await secrets.get('two')).split('').join('-'), 'second');
}
