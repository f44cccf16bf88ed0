import { pong } from './pong.js';

export function ping(n) {
  return n === 0 ? 'done' : `ping ${pong(n - 1)}`;
}
