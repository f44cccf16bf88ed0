import type { Class } from './types';

/** Says without colour what a colour says. */
export function sign(of: Class): string {
  return { good: '✓', bad: '✗', doubtful: '!', neutral: '' }[of];
}

export function classOfVerdict(verdict: string): Class {
  if (verdict === 'passed') return 'good';
  if (['', 'no-goals', 'capacity'].includes(verdict)) return 'neutral';
  return ['stopped', 'interrupted', 'not-valid', 'not-judged'].includes(verdict) ? 'doubtful' : 'bad';
}
