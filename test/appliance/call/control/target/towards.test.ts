import { expect, it, vi } from 'vitest';
import { type CallTarget, towardsAll } from '#appliance/call/control/index.ts';

const target = (fields: Partial<CallTarget>): CallTarget =>
  ({ uri: 'sip:anna@care.test', ...fields }) as CallTarget;
const DATA = { headers: [], parts: [] };

it('makes the documents of an emergency call once, and only where a trunk carries them', () => {
  const emergencyData = vi.fn(() => DATA);
  expect(towardsAll({ emergencyData }, [[target({})], [target({})]])).toEqual([[target({})], [target({})]]);
  expect(emergencyData).not.toHaveBeenCalled();
  const carries = target({ takesEmergencyData: true });
  expect(towardsAll({ emergencyData }, [[carries, target({})], [carries]])).toEqual([
    [{ ...carries, optional: DATA }, target({})],
    [{ ...carries, optional: DATA }],
  ]);
  expect(emergencyData).toHaveBeenCalledOnce();
});
