// Rejections that nobody handles.
import { setTimeout } from 'k6/timers';
export const options = { iterations: 3 };
export default async function () {
  if (__ITER === 0) { Promise.reject(new Error('left alone')); return; }
  if (__ITER === 1) { setTimeout(() => { throw new Error('in a timer'); }, 5); return; }
  await Promise.reject('just text');
}
