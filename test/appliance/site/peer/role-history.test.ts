import { describe, expect, test } from 'vitest';
import { initialRoleHistory, type RoleSnapshot, stepRoles } from '#appliance/site/peer/index.ts';
import { type SiteRole, siteRoleSchema } from '#shared/contract/feed/index.ts';

const calm: RoleSnapshot = {
  roles: [],
  epoch: 3,
  words: { one: 'ok' },
  holders: { vip: 'one', leader: 'one' },
  hostId: 'two',
  serving: [],
  serves: true,
  faults: [],
};
const holding: RoleSnapshot = { ...calm, roles: ['vip', 'leader'], holders: { vip: 'two', leader: 'two' } };

/** Looks, each for so many seconds, one a second; the reported roles, and the second of each report. */
type Looks = readonly (readonly [look: RoleSnapshot, seconds: number])[];
function reported(...looks: Looks) {
  let story = initialRoleHistory;
  let second = 0;
  const all: { readonly second: number; readonly role: SiteRole }[] = [];
  for (const [look, seconds] of looks)
    for (let i = 0; i < seconds; i++) {
      const step = stepRoles(story, look, second * 1_000);
      story = step.story;
      if (step.change !== undefined) all.push({ second, role: siteRoleSchema.parse(step.change) });
      second += 1;
    }
  return all;
}
const last = (...looks: Looks) => reported(...looks).at(-1)?.role;

describe('reports of roles', () => {
  test('a host that starts beside one that has them says nothing', () => {
    expect(reported([calm, 60])).toEqual([]);
  });
  test('a host that starts with them says so once, and when it has stood', () => {
    expect(reported([holding, 60])).toMatchObject([
      { second: 4, role: { cause: 'started', gained: ['vip', 'leader'], lost: [], took: [], agoMs: 4_000 } },
    ]);
  });
  test('nothing is known before all hosts were received or missed', () => {
    const waiting = { ...holding, words: { one: 'unknown' } };
    expect(reported([waiting, 30], [calm, 30])).toEqual([]);
  });
  test('a flicker of three seconds is no failover', () => {
    expect(reported([calm, 10], [holding, 3], [calm, 30])).toEqual([]);
  });
  test('one that took over names whom it lost, and whose alarms it has', () => {
    const alone = { ...holding, epoch: 4, words: { one: 'dead' } };
    expect(last([calm, 10], [alone, 10])).toEqual({
      epoch: 4,
      roles: ['vip', 'leader'],
      gained: ['vip', 'leader'],
      lost: [],
      cause: 'hostLost',
      of: 'one',
      took: ['one'],
      faults: [],
      agoMs: 4_000,
    });
  });
  test('a role that was handed over by one that is there is no loss', () => {
    expect(last([calm, 10], [holding, 10])).toMatchObject({ cause: 'handedOver', of: 'one', took: [] });
  });
  test('a role that was taken from one that goes on serving is reported as that', () => {
    expect(last([calm, 10], [{ ...holding, serving: ['one'] }, 10])).toMatchObject({
      cause: 'preferred',
      of: 'one',
    });
  });
  test('one that gives its roles up says why it may not have them', () => {
    const sick = { ...calm, serves: false, faults: ['the journal cannot be written'] };
    expect(last([holding, 10], [sick, 10])).toMatchObject({
      cause: 'notServing',
      lost: ['vip', 'leader'],
      faults: ['the journal cannot be written'],
    });
  });
  test('one whose roles went elsewhere names who has them', () => {
    expect(last([holding, 10], [calm, 10])).toMatchObject({ cause: 'takenBy', of: 'one' });
    expect(last([holding, 10], [{ ...calm, holders: {} }, 10])).toMatchObject({ cause: 'other' });
  });
  test('one that is back moves nothing and is still reported', () => {
    const alone = { ...holding, words: { one: 'dead' } };
    expect(last([alone, 10], [holding, 10])).toMatchObject({
      cause: 'hostBack',
      of: 'one',
      gained: [],
      lost: [],
    });
  });
  test('the holder before is who had it last, not who had it when we began', () => {
    const three = { ...calm, words: { one: 'ok', three: 'ok' } };
    const moved = { ...three, holders: { vip: 'three', leader: 'three' } };
    const ours = { ...holding, words: { one: 'ok', three: 'dead' } };
    expect(last([three, 10], [moved, 10], [ours, 10])).toMatchObject({ cause: 'hostLost', of: 'three' });
  });
  test('one that is missed before anybody has its roles is whom they come from', () => {
    const missed = { ...calm, words: { one: 'lost' }, holders: {} };
    const ours = { ...holding, words: { one: 'lost' } };
    expect(last([calm, 10], [missed, 10], [ours, 10])).toMatchObject({ cause: 'hostLost', of: 'one' });
  });
});
