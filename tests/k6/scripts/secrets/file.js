// @args --secret-source=file=data/secrets.txt
// secrets from a file.
import secrets from 'k6/secrets';

const attempt = async (what, f) => { try { console.log(what, await f()); } catch (e) { console.log(what, 'refused', e instanceof Error, String(e), Object.keys(e).join()); } };
export default async function () {
  for (const key of ['one', 'two', 'empty', 'three']) await attempt(key, async () => (await secrets.get(key)).length);
  console.log('first! with=equals');
  await attempt('by name', async () => (await secrets.source('file').get('one')) === 'first' + '!');
}
