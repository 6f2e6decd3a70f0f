import { describe, expect, it } from 'vitest';
import { PartyLeg } from '#appliance/call/media-service/index.ts';
import type { CallInput, CallProgress, EndReason } from '#appliance/call/session/index.ts';

type Watcher = {
  readonly onProgress: (progress: CallProgress) => void;
  readonly onInput: (input: CallInput) => void;
};

/** The call of one participant, and what it tells its session. */
function room({ answered = false, phase = 'Arrived', party = 'leg' } = {}) {
  const done: string[] = [];
  let watcher: Watcher | undefined;
  const call = {
    session: { phase, party, ringing: ['other'] },
    legs: [],
    trace: { add: () => undefined },
    withheld: new Set<string>(),
    leg: () => undefined,
    watchedBy: (its: Watcher) => {
      watcher = its;
    },
    input: (input: { readonly kind: string; readonly status?: number; readonly text?: string }) =>
      done.push([input.kind, input.status, input.text].filter((each) => each !== undefined).join(' ')),
  };
  const leg = new PartyLeg('p', call as never, 'anna', answered, ({ participant: _, ...reported }) =>
    done.push(JSON.stringify(reported)),
  );
  if (watcher === undefined) throw new Error('nobody watches the call');
  const { onProgress, onInput } = watcher;
  return { done, leg, news: onProgress, input: onInput };
}

const sip = (cause: number, text: string): EndReason => ({ protocol: 'SIP', cause, text });
const over = (reason: EndReason): CallProgress => ({ kind: 'over', reason });
const NORMAL: EndReason = { protocol: 'Q.850', cause: 16, text: 'Normal call clearing' };

describe('a participant that was not reached', () => {
  it.each<[EndReason, object]>([
    [sip(486, 'Busy Here'), { kind: 'failed', status: 486, reason: 'Busy Here' }],
    [
      { protocol: 'Q.850', cause: 17, text: 'User busy' },
      { kind: 'failed', status: 480, reason: 'User busy' },
    ],
  ])('%j', (reason, reported) => {
    const at = room({ phase: 'Placing', party: '' });
    at.news(over(reason));
    expect(at.done).toEqual([JSON.stringify(reported)]);
  });

  it.each([
    [400, true],
    [415, true],
    [488, true],
    [500, false],
  ])('because its answer could not be used (%i): invalidSdp %s', (status, invalidSdp) => {
    const at = room({ phase: 'Placing', party: '' });
    at.input({ kind: 'broken', leg: 'other', status, text: 'no audio line' });
    at.news(over(sip(status, 'no audio line')));
    expect(at.done.map((each) => JSON.parse(each).invalidSdp ?? false)).toEqual([invalidSdp]);
  });

  it('and another one answered instead: neither is a later end its fault', () => {
    const at = room({ party: 'leg' });
    at.input({ kind: 'broken', leg: 'other', status: 488, text: 'no audio line' });
    at.news({ kind: 'attended' });
    at.news(over(NORMAL));
    expect(at.done).toEqual(['{"kind":"answered"}', '{"kind":"gone","why":"hungUp"}']);
  });
});

describe('a participant that was on the line', () => {
  const lost = (reason: EndReason, ...inputs: readonly CallInput[]): unknown => {
    const at = room({ answered: true });
    for (const input of inputs) at.input(input);
    at.news(over(reason));
    return JSON.parse(at.done.at(-1) ?? '{}');
  };
  const broken = (status: number): CallInput => ({ kind: 'broken', leg: 'leg', status, text: 'why' });

  it.each<[string, unknown, object]>([
    ['hangs up', lost(NORMAL), { why: 'hungUp' }],
    [
      'gives a Reason',
      lost(sip(503, 'Power lost')),
      { why: 'hungUp', said: { status: 503, text: 'Power lost' } },
    ],
    [
      'gives a Reason of its network',
      lost({ protocol: 'Q.850', cause: 41, text: '' }),
      { why: 'hungUp', said: { text: 'Q.850 cause 41' } },
    ],
    [
      'is silent',
      lost(sip(408, 'RTP media timeout')),
      { why: 'rtpTimeout', said: { status: 408, text: 'RTP media timeout' } },
    ],
    [
      'describes what cannot be',
      lost(sip(488, 'why'), broken(488)),
      { why: 'invalidSdp', said: { status: 488, text: 'why' } },
    ],
    [
      'loses its audio',
      lost(sip(500, 'why'), broken(500)),
      { why: 'mediaLost', said: { status: 500, text: 'why' } },
    ],
    [
      'does not refresh its session',
      lost(sip(408, 'x'), { kind: 'ended', leg: 'leg', cause: 'expired' }),
      { why: 'expired', said: { status: 408, text: 'x' } },
    ],
  ])('%s', (_, reported, expected) => {
    expect(reported).toEqual({ kind: 'gone', ...expected });
  });
});

describe('a participant that is let go', () => {
  it.each([
    ['Arrived', undefined, undefined, 'refuse 480'],
    ['Arrived', 302, undefined, 'refuse 400'],
    ['Arrived', 486, 'the conference is full', 'refuse 486 the conference is full'],
    ['Talking', undefined, undefined, 'hangUp'],
    ['Talking', 603, undefined, 'hangUp'],
  ] as const)('%s, %s %s: %s; it reports nothing more', (phase, status, text, asked) => {
    const at = room({ phase });
    at.leg.drop(status, text);
    at.news(over(NORMAL));
    at.input({ kind: 'digit', leg: 'leg', digit: '5', durationMs: 100 });
    expect(at.done).toEqual([asked]);
  });
});
