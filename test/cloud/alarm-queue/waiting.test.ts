import { describe, expect, it } from 'vitest';
import {
  begun,
  close,
  heartbeat,
  release,
  reported,
  take,
  tick,
  type Waiting,
} from '#cloud/alarm-queue/waiting.ts';
import type { Result } from '#shared/result.ts';

/* One alarm of the queue: every input in every state. */

const ADA = { id: 'p-ada', name: 'Ada Byron' };
const BO = { id: 'p-bo', name: 'bo@care.example' };
const AT = 1_000_000;
const WAITING = begun({ call: 'none', reason: 'no person has accepted in 3 rounds' }, AT) as Waiting;

const done = (result: Result<Waiting>): Waiting => {
  if (!result.ok) throw new Error(result.error.reason);
  return result.value;
};

const STATES: Readonly<Record<string, Waiting>> = {
  waiting: WAITING,
  taken: done(take(WAITING, ADA, AT + 1_000)),
  released: done(release(done(take(WAITING, ADA, AT)), { at: AT + 1_000, taker: ADA, turn: 1 })),
  closed: done(close(done(take(WAITING, ADA, AT)), { at: AT + 1_000, taker: ADA, turn: 1 })),
};

const LATER = AT + 5_000;
const write = (taker: typeof ADA, turn: number) => ({ at: LATER, taker, turn });

const INPUTS: Readonly<Record<string, (now: Waiting) => Result<Waiting> | Waiting | undefined>> = {
  'ada takes': (now) => take(now, ADA, LATER),
  'bo takes': (now) => take(now, BO, LATER),
  'ada beats': (now) => heartbeat(now, write(ADA, 1)),
  'ada beats under an old turn': (now) => heartbeat(now, write(ADA, 0)),
  'bo beats': (now) => heartbeat(now, write(BO, 1)),
  'ada releases': (now) => release(now, write(ADA, 1)),
  'bo releases': (now) => release(now, write(BO, 1)),
  'ada closes': (now) => close(now, write(ADA, 1)),
  'bo closes': (now) => close(now, write(BO, 1)),
  '5 s pass': (now) => tick(now, LATER),
  '16 s pass': (now) => tick(now, AT + 16_000),
  'host: talking': (now) => reported(now, { call: 'talking', reason: 'accepted' }, LATER),
  'host: handled': (now) => reported(now, { call: 'ended', reason: 'over', outcome: 'handled' }, LATER),
  'host: unanswered': (now) => reported(now, { call: 'ended', reason: 'over', outcome: 'unanswered' }, LATER),
};

const TABLE: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  waiting: {
    'ada takes': 'taken by Ada Byron, turn 1',
    'bo takes': 'taken by bo@care.example, turn 1',
    'ada beats': 'takerLost',
    'ada beats under an old turn': 'takerLost',
    'bo beats': 'takerLost',
    'ada releases': 'takerLost',
    'bo releases': 'takerLost',
    'ada closes': 'takerLost',
    'bo closes': 'takerLost',
    '5 s pass': 'nothing',
    '16 s pass': 'nothing',
    'host: talking': 'waiting, turn 0',
    'host: handled': 'closed, turn 0',
    'host: unanswered': 'waiting, turn 0',
  },
  taken: {
    'ada takes': 'taken by Ada Byron, turn 2',
    'bo takes': 'alarmTaken: Ada Byron',
    'ada beats': 'taken by Ada Byron, turn 1',
    'ada beats under an old turn': 'takerLost',
    'bo beats': 'takerLost',
    'ada releases': 'released, turn 1, before Ada Byron',
    'bo releases': 'takerLost',
    'ada closes': 'closed by Ada Byron, turn 1',
    'bo closes': 'takerLost',
    '5 s pass': 'nothing',
    '16 s pass': 'released, turn 1, before Ada Byron',
    'host: talking': 'taken by Ada Byron, turn 1',
    'host: handled': 'closed by Ada Byron, turn 1',
    'host: unanswered': 'taken by Ada Byron, turn 1',
  },
  released: {
    'ada takes': 'taken by Ada Byron, turn 2, before Ada Byron',
    'bo takes': 'taken by bo@care.example, turn 2, before Ada Byron',
    'ada beats': 'takerLost',
    'ada beats under an old turn': 'takerLost',
    'bo beats': 'takerLost',
    'ada releases': 'takerLost',
    'bo releases': 'takerLost',
    'ada closes': 'takerLost',
    'bo closes': 'takerLost',
    '5 s pass': 'nothing',
    '16 s pass': 'nothing',
    'host: talking': 'released, turn 1, before Ada Byron',
    'host: handled': 'closed, turn 1, before Ada Byron',
    'host: unanswered': 'released, turn 1, before Ada Byron',
  },
  closed: Object.fromEntries(
    Object.keys(INPUTS).map((name) => {
      if (name.startsWith('host')) return [name, 'closed by Ada Byron, turn 1'];
      return [name, name.endsWith('pass') ? 'nothing' : 'alarmClosed: Ada Byron'];
    }),
  ),
};

function word(result: Result<Waiting> | Waiting | undefined): string {
  if (result === undefined) return 'nothing';
  if ('ok' in result) {
    if (result.ok) return word(result.value);
    const { code, reason } = result.error;
    return code !== 'takerLost' && reason.includes(ADA.name) ? `${code}: ${ADA.name}` : code;
  }
  const { state, turn, takerName, closedBy, lastTaker } = result;
  const by = state === 'closed' ? closedBy : takerName;
  return `${state}${by === null ? '' : ` by ${by}`}, turn ${turn}${lastTaker === null ? '' : `, before ${lastTaker}`}`;
}

describe('an alarm of the queue', () => {
  it.each(Object.entries(STATES))('answers every input while it is %s', (name, state) => {
    const happened = Object.fromEntries(
      Object.entries(INPUTS).map(([input, give]) => [input, word(give(state))]),
    );
    expect(happened).toEqual(TABLE[name]);
  });

  it('keeps its taker with heartbeats, and loses it 15 s after the last one', () => {
    let now = done(take(WAITING, ADA, AT));
    for (let at = AT; at <= AT + 60_000; at += 5_000) {
      expect(tick(now, at + 4_999)).toBeUndefined();
      now = done(heartbeat(now, { at: at + 5_000, taker: ADA, turn: 1 }));
    }
    const last = AT + 65_000;
    expect(tick(now, last + 14_999)).toBeUndefined();
    expect(tick(now, last + 15_000)).toMatchObject({
      state: 'released',
      reason: 'the console of Ada Byron has gone silent',
    });
  });

  it('lets another person take it at the very moment in which the taker is lost', () => {
    const taken = done(take(WAITING, ADA, AT));
    expect(take(taken, BO, AT + 14_999).ok).toBe(false);
    const next = done(take(taken, BO, AT + 15_000));
    expect(next).toMatchObject({ takerName: BO.name, turn: 2, lastTaker: ADA.name });
    expect(heartbeat(next, { at: AT + 15_001, taker: ADA, turn: 1 })).toMatchObject({
      error: { code: 'takerLost', reason: expect.stringContaining(BO.name) },
    });
  });

  it('does not begin with an alarm that is dealt with already', () => {
    expect(begun({ call: 'ended', reason: 'over', outcome: 'handled' }, AT)).toBeUndefined();
    expect(begun({ call: 'ended', reason: 'over', outcome: 'unanswered' }, AT)?.state).toBe('waiting');
  });
});
