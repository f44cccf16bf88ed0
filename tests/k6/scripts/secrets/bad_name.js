// @args --secret-source=mock=one=1 --secret-source=mock=two=2
// @exit 255
// a source that cannot be used: name.
import secrets from 'k6/secrets';

export default async function () {
  console.log(await secrets.get('one'));
}
