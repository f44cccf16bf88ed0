// @args --secret-source=vault=x
// @exit 255
// a source that cannot be used: kind.
import secrets from 'k6/secrets';

export default async function () {
  console.log(await secrets.get('one'));
}
