import { upper } from './nested/text.js';

export const version = '1.2';
export function shout(text) {
  return upper(text) + '!';
}
export default function greet(name) {
  return `hello ${name}`;
}
