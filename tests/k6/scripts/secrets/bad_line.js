// @args --secret-source=file=data/bad.txt
// @exit 255
// a source that cannot be used: line.
import secrets from 'k6/secrets';

export default async function () {
  console.log(await secrets.get('one'));
}
