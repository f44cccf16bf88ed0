import { label } from './h.js';

export const f = async (context: { vars: Record<string, unknown> }) => {
  context.vars.label = label('x');
};
