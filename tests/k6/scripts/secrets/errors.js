// @args --secret-source=mock=one=first!
// keys and sources that are not there.
import secrets from 'k6/secrets';

const attempt = async (what, f) => { try { console.log(what, await f()); } catch (e) { console.log(what, 'refused', e instanceof Error, String(e), Object.keys(e).join()); } };
export default async function () {
  for (const key of ['none', '', undefined, null, 5, {}]) await attempt(String(key), () => secrets.get(key));
  for (const name of ['nope', '', undefined]) await attempt(String(name), () => secrets.source(name).get('one'));
  console.log(Object.keys(secrets).join(), Object.keys(secrets.source('nope')).join());
}
