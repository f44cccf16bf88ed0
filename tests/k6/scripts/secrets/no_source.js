// secrets without any source.
import secrets from 'k6/secrets';

const attempt = async (what, f) => { try { console.log(what, await f()); } catch (e) { console.log(what, 'refused', e instanceof Error, String(e), Object.keys(e).join()); } };
export default async function () {
  await attempt('get', () => secrets.get('one'));
  await attempt('source', () => secrets.source('mock').get('one'));
}
