import { describe, expect, it } from 'vitest';
import { type Finish, finished, fixtureNames, fixtureOf } from '#test/support/journal-fixture.ts';

/* A host was updated while it had work on its disk: this program finishes what an earlier one began. */

/** Callbacks of one session keep their order; two sessions that end at one moment have none between them. */
const bySession = (posted: Finish['posted']): Finish['posted'] =>
  posted.toSorted((a, b) => String(a.body.sessionId).localeCompare(String(b.body.sessionId)));

/** Finishes that differ by intention. */
const OTHERWISE: Readonly<Record<string, (before: Finish, now: Finish) => void>> = {
  // An earlier version kept no source with parts, so that a part that is said again may be of another device: it is delivered as
  // an alarm of its own. Twice is allowed, never is not.
  'session-scaip-scaip-parts-open.json': (before, now) => {
    expect(now.posted).toHaveLength(2);
    const taken = now.posted.filter(({ body }) => body.calledParty === '');
    expect(taken).toMatchObject(before.posted);
    expect(now.sent).toEqual(before.sent);
    expect(now.sessions).toEqual(expect.arrayContaining([...before.sessions]));
    expect(now.sessions.filter((session) => !session.endsWith(' closed'))).toEqual([]);
    expect(now.outbox).toEqual([before.outbox[0], before.outbox[0]]);
  },
  // That version left the session open for ever when its panel had nothing more to say.
  'session-dc09-dc09-storing-open.json': (before, now) => {
    const sessions = before.sessions.map((session) => session.replace('storing open', 'closed closed'));
    expect(now).toMatchObject({ ...before, sessions });
  },
  // A platform alarm is raised today when an alarm protocol finds no alarm bridge.
  'outbox-svc-message-message-new.json': (before, now) => {
    expect(now.posted).toMatchObject(before.posted);
    expect(now).toMatchObject({ sent: before.sent, said: [], sessions: [] });
    expect(now.outbox).toEqual([...before.outbox, '(new id) alarm serviceAlarm cloud new']);
  },
};

/** Reasons that say more since then: before and now. */
const SENTENCES: readonly (readonly [before: string, now: string])[] = [
  ['408 The call failed', '408 no answer to the INVITE in 32 s'],
  [
    '<ste>callback failed</ste>',
    '<ste>callback failed: the appliance restarted before the application had answered</ste>',
  ],
];

const inWordsOfToday = (finish: Finish): Finish => {
  let text = JSON.stringify(finish);
  for (const [before, now] of SENTENCES) text = text.replaceAll(before, now);
  return JSON.parse(text) as Finish;
};

/** Sessions that their own version did not close within the time of the fixture either. */
const STILL_OPEN = [
  'sending-sia-dcs-idle-primary-open.json',
  'sending-tt92-idle-primary-open.json',
  'session-nowipcontroller-nowip-asking-open.json',
  'session-scaip-scaip-decided-open.json',
];

describe('a journal of an earlier version', () => {
  it.each(fixtureNames())('%s is taken up, and ends as it did then', async (name) => {
    const { finish: before, ...fixture } = fixtureOf(name);
    const finish = inWordsOfToday(before);
    const now = await finished(fixture);

    // The receiver gets every callback that was owed, under the id that it had.
    const owed = (fixture.tables.outbox ?? []).filter(
      ({ state, dest }) => (state === 'new' || state === 'inflight') && dest !== 'cloud',
    );
    const received = new Set(now.posted.map(({ id }) => id));
    expect(owed.filter(({ id }) => !received.has(String(id)))).toEqual([]);
    const undone = now.outbox.filter((row) => !/ cloud (new|done)$| done$/.test(row));
    expect(undone).toEqual([]);
    const open = now.sessions.filter((session) => !session.endsWith(' closed'));
    expect(open).toHaveLength(STILL_OPEN.includes(name) ? 1 : 0);

    const otherwise = OTHERWISE[name];
    if (otherwise !== undefined) {
      otherwise(finish, now);
      return;
    }
    // Later versions may say more.
    expect(bySession(now.posted)).toMatchObject(bySession(finish.posted));
    const { posted: _, ...rest } = now;
    const { posted: __, ...others } = finish;
    expect(rest).toEqual(others);
  });

  it('is there for every alarm protocol, for every state of a session and of a sending', () => {
    const names = fixtureNames();
    const words = (place: number, kind: string) =>
      new Set(names.filter((name) => name.startsWith(kind)).map((name) => name.split('-')[place]));
    expect(names.length).toBeGreaterThan(90);
    for (const protocol of [
      'bs8521',
      'contact',
      'cpc',
      'dc09',
      'lacs',
      'nowip',
      'p100',
      'scaip',
      'tt92',
      'ttnew',
    ])
      expect(words(1, 'session-')).toContain(protocol);
    for (const state of [
      'storing',
      'decided',
      'waiting-call',
      'in-call',
      'clearing',
      'closed',
      'asking',
      'parts',
    ])
      expect(names.filter((name) => name.includes(`-${state}-`))).not.toEqual([]);
    for (const phase of ['idle', 'queued', 'attempting', 'pausing', 'over'])
      expect(names.filter((name) => name.startsWith('sending-') && name.includes(`-${phase}-`))).not.toEqual(
        [],
      );
    for (const protocol of [
      'scaip',
      'nowip',
      'bs8521',
      'tt92',
      'ttnew',
      'voicecall',
      'callback',
      'sia',
      'adm',
    ])
      expect(words(1, 'sending-')).toContain(protocol);
  });
});
