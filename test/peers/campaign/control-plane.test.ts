import { describe, expect, it, test } from 'vitest';
import { type ControlPlaneHistory, judgeControlPlane } from '#test/campaign/replica/control-plane-history.ts';
import { type ChangeHistory, judgeLastChange, TAKEN_WITHIN_MS } from '#test/campaign/replica/last-change.ts';
import { keepsItsPromises, LAST_WORDS_MS } from '../support/campaign.ts';

/** Most of it is waiting: leases that run out. */
const WITHIN_MS = 400_000;

test('campaign control-plane keeps every promise', { timeout: WITHIN_MS + LAST_WORDS_MS }, () =>
  keepsItsPromises('control-plane', WITHIN_MS),
);

describe('the judgement of several control planes', () => {
  const kept: ControlPlaneHistory = {
    ...{ reported: ['a', 'b'], stored: ['a', 'b'], kept: 0, undelivered: 0, faults: 5 },
    lastChange: { waiting: 0, behind: [], slowestMs: 900 },
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
    [
      'a host behind',
      { lastChange: { waiting: 1, behind: ['u-1'], slowestMs: 900 } },
      'have not applied the last change in time, such as u-1',
    ],
    ['a host called silent', { calledSilent: ['u-1'] }, 'called silent'],
    ['a mass loss that is not over', { massLosses: ['cleared', 'active'] }, 'mass loss stand'],
    ['a trespass', { trespasses: ['replica-1 wrote'] }, 'did not own'],
    ['a replica that did nothing', { observations: { 'replica-0': 0 } }, 'nothing was proven'],
    ['no alarm', { reported: [] }, 'nothing was proven'],
    ['no fault', { faults: 0 }, 'nothing was proven'],
  ])('turns red at %s', (_, fault, says) => expect(broken(fault)).toContain(says));
});

describe('the judgement of the last change', () => {
  const MADE_MS = 100_000;
  const LATE_MS = TAKEN_WITHIN_MS + 1_000;
  const of = (uid: string, leaf: string) => `carillon/1/00/t/s/${uid}/${leaf}`;
  const state = (uid: string, st: 'on' | 'off', sid: string, atMs: number) => ({
    ...{ topic: of(uid, 'up/state'), text: JSON.stringify({ v: 1, st, sid }), atMs },
  });
  const report = (uid: string, rev: number, atMs: number, res = 'applied') => ({
    ...{ topic: of(uid, 'up/cfg'), text: JSON.stringify({ v: 1, scope: 'tenant', res, rev }), atMs },
  });
  const births = [state('a', 'on', '1', 1_000), state('b', 'on', '2', 1_000)];
  const judged = (more: Partial<ChangeHistory>) =>
    judgeLastChange({
      ...{ hosts: 2, rev: 7, madeMs: MADE_MS, nowMs: MADE_MS + LATE_MS, states: births },
      ...{ reports: [report('a', 7, MADE_MS + 400), report('b', 8, MADE_MS + 900)] },
      ...more,
    });

  it('is green where each host took it at once, and gives the time of the slowest', () =>
    expect(judged({})).toEqual({ waiting: 0, behind: [], slowestMs: 900 }));

  it('counts from the connection that a host got behind the change', () => {
    const states = [...births, state('b', 'off', '2', 90_000), state('b', 'on', '3', 390_000)];
    const reports = [report('a', 7, MADE_MS + 400), report('b', 7, 391_500)];
    expect(judged({ states, reports, nowMs: 400_000 })).toEqual({ waiting: 0, behind: [], slowestMs: 1_500 });
  });

  it('a birth that is said again in the same connection is no new one', () => {
    const states = [...births, state('b', 'on', '2', MADE_MS + LATE_MS - 100)];
    const reports = [report('a', 7, MADE_MS + 400), report('b', 7, MADE_MS + LATE_MS)];
    expect(judged({ states, reports }).behind.join()).toContain('b (connected');
  });

  it.each<[string, Partial<ChangeHistory>, string]>([
    ['an earlier revision', { reports: [report('a', 7, MADE_MS), report('b', 6, MADE_MS)] }, 'not applied'],
    ['a refusal', { reports: [report('a', 7, MADE_MS), report('b', 7, MADE_MS, 'nack')] }, 'not applied'],
    [
      'a host that is connected and takes long',
      { reports: [report('a', 7, MADE_MS), report('b', 7, MADE_MS + LATE_MS)] },
      'applied 31.0 s behind',
    ],
    [
      'a host that lost its connection and does not come',
      { states: [...births, state('b', 'off', '2', 90_000)], reports: [report('a', 7, MADE_MS)] },
      'connection lost since, not applied',
    ],
    ['a host that was not seen', { hosts: 3 }, 'not seen'],
  ])('turns red at %s', (_, fault, says) => {
    const { behind } = judged(fault);
    expect(behind).toHaveLength(1);
    expect(behind.join()).toContain(says);
  });
});
