import { createHash } from 'node:crypto';
import { double } from './helper.mjs';
export async function token(context) {
  context.vars.code = double(101);
  context.vars.hash = createHash('sha256').update('x').digest('hex');
}
export const after = async (req, res, context, events) => {
  events.emit('counter', `hash.${context.vars.hash.slice(0, 8)}`, 1);
};
