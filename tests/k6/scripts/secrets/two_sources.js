// @args --secret-source=mock=name=mine,one=first! --secret-source=file=name=other,default,filename=data/secrets.txt
// two sources with names, one of them the default.
import secrets from 'k6/secrets';

const attempt = async (what, f) => { try { console.log(what, await f()); } catch (e) { console.log(what, 'refused', e instanceof Error, String(e), Object.keys(e).join()); } };
export default async function () {
  await attempt('default', async () => (await secrets.get('two')).length);
  for (const name of ['mine', 'other', 'default', 'mock', 'file']) await attempt(name, async () => (await secrets.source(name).get('one')).length);
}
