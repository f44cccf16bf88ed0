import { v5 } from 'uuid';
import { createHash } from 'node:crypto';

export const tag = async (context, events) => {
  context.vars.tag = v5('tag', v5.URL);
  context.vars.sum = createHash('sha256').update(context.vars.tag).digest('hex').slice(0, 8);
  events.emit('counter', 'tags', 1);
};
