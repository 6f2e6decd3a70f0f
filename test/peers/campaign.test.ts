import { expect, test } from 'vitest';
import { mustBreak, seeded } from '#test/campaign/campaign.ts';
import { tooGood } from '#test/campaign/loss.ts';
import { judgePeople, type PeopleHistory } from '#test/campaign/people/people-history.ts';
import { judgeSending } from '#test/campaign/sending-history.ts';
import { campaign, keepsItsPromises, LAST_WORDS_MS } from './support/campaign.ts';

/** Three sites at once: 40 s where two cores are idle. */
const WITHIN_MS = 300_000;

test('campaign sending keeps every promise', { timeout: WITHIN_MS + LAST_WORDS_MS }, () =>
  keepsItsPromises('sending', WITHIN_MS),
);

test('campaign people keeps every promise', { timeout: WITHIN_MS + LAST_WORDS_MS }, () =>
  keepsItsPromises('people', WITHIN_MS),
);

test('a campaign that does not exist is refused, with the names of those that do', async () => {
  const { code, output } = await campaign(['earthquake']);
  expect(code).toBe(64);
  expect(output).toMatch(/there is no campaign earthquake[\s\S]*kill9[\s\S]*powercut[\s\S]*loss[\s\S]*wan/);
});

test('a mutant that stays green turns its campaign red, one that breaks does not', () => {
  const mutant = (lost: number) =>
    mustBreak({ name: 'mutant', figures: { lost }, violations: [`${lost} lost`] }, 'lost');
  expect(mutant(0).violations).toEqual(['"lost" stayed 0: this campaign sees nothing']);
  expect(mutant(3).violations).toEqual([]);
});

const ACCEPT = { sessionId: 's1', step: 'accepted', attempt: 3, key: 'id 1', atMs: 1_000 };
const REPORTS = [ACCEPT, { ...ACCEPT, step: 'cleared', key: 'id 2' }];
const UNANSWERED = { sessionId: 's2', step: 'unanswered', attempt: undefined, key: 'id 3', atMs: 50_000 };
/** The alarm of the queue ended without one. */
const WITHOUT = { reported: [...REPORTS, UNANSWERED], waiting: [], taken: [] };
const called = (fromMs: number, toMs: number) => ({ alarm: 'list', person: 'ada', life: 1, fromMs, toMs });
/** One list whose alarm is cleared, and one alarm that waited in the queue. */
const LISTS: PeopleHistory = {
  alarms: new Map([
    ['list', 's1'],
    ['queue', 's2'],
  ]),
  ...{
    queued: ['queue'],
    calls: [called(0, 100)],
    reported: REPORTS,
    waiting: ['s2'],
    taken: ['s2'],
    away: [],
  },
};

test('a planted fault in what was sent turns the judgement red', () => {
  const taken = new Map([['4711', 'session 1']]);
  const received = [{ controllerId: '4711', name: 'ref 1' }];
  const reports = [{ outcome: 'alarmSent', sessionId: 'session 1', key: 'id 1' }];
  const judged = (fault: object) =>
    judgeSending({ taken, received, reported: reports, ...fault }).violations.join();
  expect(judged({})).toBe('');
  expect(judged({ received: [...received, ...received] })).toBe('');
  expect(judged({ received: [] })).toContain('never at the receiver');
  const failure = { ...reports[0], outcome: 'alarmSendFailure', reason: 'no answer' };
  expect(judged({ received: [], reported: [failure] })).toContain('4711 (told as failed: no answer)');
  expect(judged({ received: [...received, { controllerId: '4711', name: 'ref 2' }] })).toContain(
    'two events',
  );
  expect(judged({ received: [0, 1].map(() => ({ controllerId: '4711', name: undefined })) })).toContain(
    'two events',
  );
  expect(judged({ reported: [] })).toContain('nothing told');
  expect(judged({ reported: [...reports, { ...reports[0], key: 'id 2' }] })).toContain('different ids');
});

test.each<[string, Partial<PeopleHistory>, string]>([
  ['nothing', {}, ''],
  ['a list without a person', { reported: [] }, '1 lists ended without a person: list'],
  [
    'two calls at once',
    { calls: [called(0, 100), called(50, 150)] },
    '1 calls to a person who had one of the same alarm: list/ada',
  ],
  ['a call of another life', { calls: [called(0, 100), { ...called(50, 150), life: 2 }] }, ''],
  ['one call behind the other', { calls: [called(0, 100), called(100, 150)] }, ''],
  [
    'an accept under two ids',
    { reported: [...REPORTS, { ...ACCEPT, key: 'id 9' }] },
    '1 accepts told under different ids',
  ],
  ['an accept reported again', { reported: [...REPORTS, ACCEPT] }, ''],
  [
    'an alarm that waits nowhere',
    { waiting: [] },
    '1 alarms that no person accepted, and not in the alarm queue',
  ],
  ['an alarm twice in the queue', { waiting: ['s2', 's2'] }, '1 alarms twice in the alarm queue'],
  [
    'an alarm that no person could take',
    { taken: [] },
    '1 alarms of the alarm queue that could not be taken',
  ],
  [
    'a list that ended unanswered while the control plane was away',
    { ...WITHOUT, away: [{ fromMs: 30_000, toMs: 45_000 }] },
    '',
  ],
  [
    'a list that ended unanswered though the control plane was there',
    { ...WITHOUT, away: [{ fromMs: 1_000, toMs: 2_000 }] },
    '1 alarms that no person accepted, and not in the alarm queue',
  ],
])('the judge of lists says this of %s', (_, fault, said) => {
  const { violations } = judgePeople({ ...LISTS, ...fault });
  if (said === '') expect(violations).toEqual([]);
  else expect(violations.join()).toContain(said);
});

test('a link that lost, doubled or delayed too little is no bad link', () => {
  const bad = { arrived: 1000, lost: 100, doubled: 100, delayed: 100 };
  expect(tooGood('site', bad)).toEqual([]);
  for (const what of ['lost', 'doubled', 'delayed'] as const) {
    expect(tooGood('site', { ...bad, [what]: 9 })).toEqual([
      expect.stringContaining('the link of the site was not bad'),
    ]);
  }
  expect(tooGood('site', { arrived: 0, lost: 0, doubled: 0, delayed: 0 })).toHaveLength(1);
});

test('the same seed gives the same faults, another one others', () => {
  const draws = (seed: number) => Array.from({ length: 50 }, seeded(seed));
  expect(draws(1)).toEqual(draws(1));
  expect(draws(1)).not.toEqual(draws(2));
  for (const draw of draws(7)) expect(draw).toBeGreaterThanOrEqual(0);
  expect(new Set(draws(7)).size).toBe(50);
});
