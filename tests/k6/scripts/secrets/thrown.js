// @args --secret-source=mock=token=abcdef
// an exception that holds a secret.
import secrets from 'k6/secrets';

export default async function () {
  const token = await secrets.get('token');
  throw new Error(`the token is ${token}`);
}
