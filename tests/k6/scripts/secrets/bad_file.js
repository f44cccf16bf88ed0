// @args --secret-source=file=data/none.txt
// @exit 255
// a source that cannot be used: file.
import secrets from 'k6/secrets';

export default async function () {
  console.log(await secrets.get('one'));
}
