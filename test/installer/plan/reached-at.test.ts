import { expect, test } from 'vitest';
import { reachedAt } from '#installer/plan/index.ts';

test.each([
  ['0.0.0.0', '127.0.0.1:5060'],
  ['::', '[::1]:5060'],
  ['192.0.2.11', '192.0.2.11:5060'],
  ['2001:db8::11', '[2001:db8::11]:5060'],
])('a listener on %s is reached at %s', (host, at) => {
  expect(reachedAt({ host, port: 5060 })).toBe(at);
});
