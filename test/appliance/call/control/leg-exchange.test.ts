import { describe, expect, it } from 'vitest';
import { LegExchange } from '#appliance/call/control/leg/leg-exchange.ts';
import type { LegState } from '#appliance/call/control/leg/sip-leg-port.ts';
import type { LegMedia } from '#appliance/call/control/leg-media/leg-media.ts';
import { ok } from '#shared/result.ts';

type Carrier = Parameters<LegExchange['offered']>[1]['by'];

const CARRIERS = ['INVITE', 'UPDATE', 'PRACK', '1xx', '2xx'] as const satisfies readonly Carrier[];
const OFFER = Buffer.from('offer');
const UNFIT = { status: 488, reason: 'no codec in common' };

/** Descriptions of a leg whose media and dialog write down what they are asked. */
function room({ fits = true, hasAudio = true, ready = true } = {}) {
  const done: string[] = [];
  let state: LegState = 'up';
  let prepared: () => void = () => undefined;
  const work: Promise<unknown>[] = [];
  const media = {
    prepare: () => (ready ? undefined : new Promise<void>((resolve) => (prepared = resolve))),
    answerTo: () =>
      fits
        ? ok({ sdp: Buffer.from('answer'), commit: () => done.push('in force') })
        : { ok: false, error: UNFIT },
    wanted: () => 'sendonly',
    take: (_sdp: Uint8Array, fork: string | undefined) => {
      done.push(fork === undefined ? 'taken' : `taken of ${fork}`);
      return fits ? ok(undefined) : { ok: false, error: UNFIT };
    },
    dropOffer: () => done.push('offer dropped'),
    get stream() {
      return hasAudio ? {} : undefined;
    },
  };
  const exchange = new LegExchange(
    media as unknown as LegMedia,
    { agent: 'host', run: (each) => work.push(each), turn: (then) => then() },
    {
      state: () => state,
      input: (_tag, input) =>
        done.push([input.kind, 'status' in input ? input.status : undefined].filter(Boolean).join(' ')),
      held: (direction, by) => done.push(`held ${direction} by ${by}`),
      broken: (status) => done.push(`broken ${status}`),
    },
  );
  return {
    exchange,
    done,
    in: (to: LegState) => {
      state = to;
    },
    isPrepared: async () => {
      prepared();
      await Promise.all(work);
    },
  };
}

const offered = (state: LegState, by: Carrier, setting?: Parameters<typeof room>[0]): string => {
  const at = room(setting);
  at.in(state);
  at.exchange.offered('tag', { kind: 'offered', by, sdp: OFFER });
  return at.done.join(', ') || (at.exchange.first === OFFER ? 'kept' : 'nothing');
};
const row = (state: LegState, setting?: Parameters<typeof room>[0]) =>
  Object.fromEntries(CARRIERS.map((by) => [by, offered(state, by, setting)]));

const HELD = 'held sendonly by reInvite';
const KEPT = Object.fromEntries(CARRIERS.map((by) => [by, 'kept']));
const REFUSED = {
  INVITE: 'refuse 488',
  UPDATE: 'decline 488',
  PRACK: 'decline 488',
  '1xx': 'broken 488',
  '2xx': 'broken 488',
};

describe('an offer of the peer', () => {
  it.each<[LegState, Readonly<Record<Carrier, string>>]>([
    ['waiting', KEPT as Record<Carrier, string>],
    [
      'inviting',
      {
        INVITE: 'in force, accept',
        UPDATE: 'in force, answer',
        PRACK: 'in force, answer',
        '1xx': 'in force, answer',
        '2xx': 'in force, answer',
      },
    ],
    [
      'up',
      {
        INVITE: `in force, accept, ${HELD}`,
        UPDATE: 'in force, answer, held sendonly by update',
        PRACK: `in force, answer, ${HELD}`,
        '1xx': `in force, answer, ${HELD}`,
        '2xx': `in force, answer, ${HELD}`,
      },
    ],
    [
      'over',
      { INVITE: 'nothing', UPDATE: 'decline 488', PRACK: 'decline 488', '1xx': 'nothing', '2xx': 'nothing' },
    ],
  ])('to a leg that is %s', (state, table) => expect(row(state)).toEqual(table));

  it('that does not fit is refused by what carried it, and else breaks the leg', () => {
    expect(row('up', { fits: false })).toEqual(REFUSED);
  });

  it('is answered once the media are prepared, and declined when the leg ended meanwhile', async () => {
    const [answers, ends] = [room({ ready: false }), room({ ready: false })];
    for (const { exchange, done } of [answers, ends]) {
      exchange.offered('tag', { kind: 'offered', by: 'UPDATE', sdp: OFFER });
      expect(done).toEqual([]);
    }
    ends.in('over');
    await answers.isPrepared();
    await ends.isPrepared();
    expect(answers.done).toEqual(['in force', 'answer', 'held sendonly by update']);
    expect(ends.done).toEqual(['decline 488']);
  });
});

describe('the first offer of a caller', () => {
  it('is answered when there is a port, and its answer comes into force once', () => {
    const { exchange, done, in: becomes } = room();
    becomes('waiting');
    exchange.offered('tag', { kind: 'offered', by: 'INVITE', sdp: OFFER });
    expect([exchange.answerFirst(), exchange.isCommitted, done]).toEqual([undefined, false, []]);
    for (let again = 0; again < 2; again++) expect(String(exchange.commit())).toBe('answer');
    expect([exchange.isCommitted, done]).toEqual([true, ['in force']]);
  });

  it('has its fault when it does not fit, and none when there was no offer', () => {
    const [unfit, without] = [room({ fits: false }), room()];
    unfit.in('waiting');
    unfit.exchange.offered('tag', { kind: 'offered', by: 'INVITE', sdp: OFFER });
    expect(unfit.exchange.answerFirst()).toMatchObject({ status: 488 });
    expect([without.exchange.answerFirst(), without.exchange.commit()]).toEqual([undefined, undefined]);
  });

  it('is forgotten with its leg', () => {
    const { exchange, in: becomes } = room();
    becomes('waiting');
    exchange.offered('tag', { kind: 'offered', by: 'INVITE', sdp: OFFER });
    exchange.answerFirst();
    exchange.forget();
    expect([exchange.first, exchange.commit()]).toEqual([undefined, undefined]);
  });
});

describe('an answer of the peer', () => {
  it.each<[LegState, string, string]>([
    ['inviting', 'fork', 'taken of fork'],
    ['inviting', '', 'taken'],
    ['up', 'fork', 'taken'],
  ])('to a leg that is %s, of the fork "%s", is %s', (state, fork, taken) => {
    const { exchange, done, in: becomes } = room();
    becomes(state);
    exchange.agreed(fork, Buffer.from('answer'));
    expect(done).toEqual([taken]);
  });

  it('that does not fit breaks the leg', () => {
    const { exchange, done } = room({ fits: false });
    exchange.agreed('fork', Buffer.from('answer'));
    expect(done).toEqual(['taken', 'broken 488']);
  });

  it.each([
    [true, ['offer dropped']],
    [false, ['offer dropped', 'broken 488']],
  ])('that is missing: with audio before %s', (hasAudio, expected) => {
    const { exchange, done } = room({ hasAudio });
    exchange.unchanged();
    expect(done).toEqual(expected);
  });
});
