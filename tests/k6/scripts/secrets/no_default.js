// @args --secret-source=mock=name=a,one=1st --secret-source=mock=name=b,one=2nd
// two sources, none of them the default.
import secrets from 'k6/secrets';

const attempt = async (what, f) => { try { console.log(what, await f()); } catch (e) { console.log(what, 'refused', e instanceof Error, String(e), Object.keys(e).join()); } };
export default async function () {
  await attempt('default', () => secrets.get('one'));
  await attempt('a', async () => (await secrets.source('a').get('one')).split('').join(' '));
  await attempt('b', async () => (await secrets.source('b').get('one')).split('').join(' '));
}
