import { expect } from 'https://jslib.k6.io/k6-testing/0.6.1/index.js';
export default function(){ expect(1).toBe(1); expect({a:[1]}).toEqual({a:[1]}); expect('abc').toContain('b'); console.log('passed'); expect(5).toBeGreaterThan(6); console.log('not here') }
