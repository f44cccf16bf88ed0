import * as jwt from 'jsonwebtoken';
import { sign } from 'jsonwebtoken';

interface Context {
  vars: Record<string, unknown>;
}

export async function token(context: Context): Promise<void> {
  context.vars.first = jwt.sign({ sub: 'a', iat: 1 }, 'k');
  context.vars.second = sign({ sub: 'b', iat: 1 }, 'k');
}
