import { describe, expect, it, test } from 'vitest';
import { type ControlPlaneHistory, judgeControlPlane } from '#test/campaign/replica/control-plane-history.ts';
import { keepsItsPromises, LAST_WORDS_MS } from '../support/campaign.ts';

/** Most of it is waiting: leases that run out. */
const WITHIN_MS = 400_000;

test('campaign control-plane keeps every promise', { timeout: WITHIN_MS + LAST_WORDS_MS }, () =>
  keepsItsPromises('control-plane', WITHIN_MS),
);

describe('the judgement of several control planes', () => {
  const kept: ControlPlaneHistory = {
    ...{ reported: ['a', 'b'], stored: ['a', 'b'], kept: 0, undelivered: 0, behind: 0, faults: 5 },
    arrived: [
      { id: 'a', about: 'alarm-1 raised' },
      { id: 'a', about: 'alarm-1 raised' },
      { id: 'b', about: 'alarm-1 cleared' },
    ],
    ...{
      accepted: ['d-1'],
      present: ['d-1', 'd-2'],
      audited: ['d-1'],
      auditFaults: [],
      twins: [[1, 2, 2, 3]],
      calledSilent: [],
      massLosses: ['cleared'],
      trespasses: [],
    },
    observations: { 'replica-0': 4, 'replica-1': 5 },
  };
  const broken = (fault: Partial<ControlPlaneHistory>) =>
    judgeControlPlane({ ...kept, ...fault }).violations.join();

  it('is green where every promise was kept, also when a delivery came again under its id', () =>
    expect(broken({})).toBe(''));

  it.each<[string, Partial<ControlPlaneHistory>, string]>([
    ['an alarm in no row', { stored: ['a'] }, 'in no row, such as b'],
    ['an alarm without acknowledgement', { kept: 1 }, 'still kept'],
    ['an alarm that never came', { arrived: kept.arrived.slice(0, 2) }, 'never came to the tenant'],
    ['a delivery that waits', { undelivered: 1 }, 'wait or were given up'],
    [
      'an alarm under two ids',
      { arrived: [...kept.arrived, { id: 'c', about: 'alarm-1 raised' }] },
      'under two ids',
    ],
    ['a lost change', { present: ['d-2'] }, 'accepted changes are lost'],
    ['a change without an entry', { audited: ['d-2'] }, 'not in the audit log'],
    ['a broken chain', { auditFaults: ['t.test: Entry 2 was changed.'] }, 'not whole: t.test'],
    ['a twin that goes back', { twins: [[1, 3, 2]] }, 'an older twin'],
    ['a host behind', { behind: 1 }, 'have not applied'],
    ['a host called silent', { calledSilent: ['u-1'] }, 'called silent'],
    ['a mass loss that is not over', { massLosses: ['cleared', 'active'] }, 'mass loss stand'],
    ['a trespass', { trespasses: ['replica-1 wrote'] }, 'did not own'],
    ['a replica that did nothing', { observations: { 'replica-0': 0 } }, 'nothing was proven'],
    ['no alarm', { reported: [] }, 'nothing was proven'],
    ['no fault', { faults: 0 }, 'nothing was proven'],
  ])('turns red at %s', (_, fault, says) => expect(broken(fault)).toContain(says));
});
