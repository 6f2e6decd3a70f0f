import { expect, test } from 'vitest';
import { type Attempt, failsOver, hostFailed } from '#appliance/sip/trunk/index.ts';

const answered = (status: number): Attempt => ({ kind: 'answered', status });

test.each<[Attempt, next: boolean, avoid: boolean]>([
  [{ kind: 'timeout' }, true, true],
  [{ kind: 'unreachable' }, true, true],
  [answered(408), true, true],
  [answered(503), true, true],
  [answered(504), true, true],
  [answered(480), true, false],
  [answered(500), true, false],
  [answered(502), true, false],
  [answered(200), false, false],
  [answered(404), false, false],
  [answered(486), false, false],
  [answered(501), false, false],
  [answered(603), false, false],
])('%j: next host %s, host avoided %s', (attempt, next, avoid) => {
  expect(failsOver(attempt)).toBe(next);
  expect(hostFailed(attempt)).toBe(avoid);
});
