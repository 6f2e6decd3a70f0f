import { expect, it } from 'vitest';
import { notificationSettingsRequestSchema } from '#shared/contract/provisioning/index.ts';

it.each([
  [undefined, true],
  [10, true],
  [500, true],
  [9, false],
  [501, false],
  [10.5, false],
  ['120', false],
])('emergencyCallsAtOnce of %j: taken %s', (emergencyCallsAtOnce, isTaken) => {
  expect(notificationSettingsRequestSchema.safeParse({ emergencyCallsAtOnce }).success).toBe(isTaken);
});
