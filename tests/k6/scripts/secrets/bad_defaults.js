// @args --secret-source=mock=default,one=1 --secret-source=file=default,data/secrets.txt
// @exit 255
// a source that cannot be used: defaults.
import secrets from 'k6/secrets';

export default async function () {
  console.log(await secrets.get('one'));
}
