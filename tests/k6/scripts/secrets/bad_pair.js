// @args --secret-source=mock=one
// @exit 255
// a source that cannot be used: pair.
import secrets from 'k6/secrets';

export default async function () {
  console.log(await secrets.get('one'));
}
