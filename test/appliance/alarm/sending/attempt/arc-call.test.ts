import { describe, expect, it } from 'vitest';
import { ArcCall, type ArcCallRequest } from '#appliance/alarm/sending/attempt/arc-call.ts';
import type { CallProgress, EndReason } from '#appliance/call/session/index.ts';
import { SessionTrace } from '#appliance/kernel/session-trace.ts';
import { CLEARED, sip } from './attempt-room.ts';

interface Watcher {
  readonly onMedia?: (event: object) => void;
  readonly onInput?: (input: object) => void;
  readonly onProgress?: (progress: CallProgress) => void;
}

const TARGET = {
  mapper: { preferredCodec: 'PCMA', enforceIvrDestination: true },
  trunkGroupId: 'trunks',
  deadlineMs: 600_000,
  voiceFrom: (user: string) => `+46${user}`,
};
const REQUEST = {
  destination: 'sip:arc@example.com',
  from: { user: 'unit', host: '' },
  headers: [['X-Key', 'k']],
  target: TARGET,
  ringMs: 45_000,
} as unknown as ArcCallRequest;

/** A call that writes down each request to the call control, and each event for its user. */
function room(arrives = false) {
  const done: string[] = [];
  const watchers: Watcher[] = [];
  const received = new Set<string>();
  const active = {
    id: 'call 1',
    session: { party: 'leg' },
    audibleLegs: received,
    watchedBy: (watcher: Watcher) => void watchers.push(watcher),
    input: ({ kind, ...rest }: { readonly kind: string }) =>
      void done.push(`${kind} ${JSON.stringify(rest)}`),
  };
  let placed: (Watcher & { readonly [field: string]: unknown }) | undefined;
  const calls = {
    place: (options: Watcher & { readonly [field: string]: unknown }) => {
      placed = options;
      return active;
    },
    turn: (work: () => void) => work(),
  };
  const ports = { clock: { monoMs: () => 5_000 }, tenant: () => ({ domain: 'care.example' }) };
  const userOf = (name: string) => ({
    answered: () => void done.push(`${name} answered`),
    mediaEvent: (event: object, byInfo?: true) =>
      void done.push(`${name} heard ${JSON.stringify(event)}${byInfo ? ' by INFO' : ''}`),
    over: ({ cause }: EndReason, reached: boolean) =>
      void done.push(`${name} over ${cause}${reached ? ', was reached' : ''}`),
  });
  const call = new ArcCall(
    ports as never,
    calls as never,
    arrives ? ({ arrived: active } as never) : REQUEST,
    new SessionTrace('t', () => 0),
    userOf('user'),
  );
  const change = (one: object): void => {
    placed?.onProgress?.(one as CallProgress);
    for (const watcher of watchers) watcher.onProgress?.(one as CallProgress);
  };
  return {
    done,
    call,
    heard: received,
    placed: () => placed,
    userOf,
    attended: () => change({ kind: 'attended' }),
    ringing: () => change({ kind: 'ringing' }),
    over: (reason: EndReason) => change({ kind: 'over', reason }),
    media: (event: object) => {
      for (const watcher of watchers) watcher.onMedia?.(event);
    },
    info: (digit: string, durationMs: number, leg = 'leg') => {
      for (const watcher of watchers) watcher.onInput?.({ kind: 'digit', leg, digit, durationMs });
    },
  };
}
type Room = ReturnType<typeof room>;

const STATES: Readonly<Record<string, (at: Room) => void>> = {
  placed: () => undefined,
  answered: (at) => at.attended(),
  over: (at) => {
    at.attended();
    at.over(CLEARED);
  },
};
const INPUTS: Readonly<Record<string, (at: Room) => void>> = {
  ringing: (at) => at.ringing(),
  attended: (at) => at.attended(),
  refused: (at) => at.over(sip(486)),
  'its audio': (at) => at.media({ kind: 'digit', leg: 'leg', digit: '1' }),
  'audio of another leg': (at) => at.media({ kind: 'digit', leg: 'other', digit: '1' }),
  'an event of no leg': (at) => at.media({ kind: 'overload' }),
  'INFO of another leg': (at) => at.info('1', 80, 'other'),
  'hang up': (at) => at.call.hangUp('done'),
};
const HANGS_UP = 'hangUp {"reason":{"protocol":"SIP","cause":200,"text":"done"}}';
const HEARS = 'user heard {"kind":"digit","leg":"leg","digit":"1"}';
const TABLE: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  placed: { attended: 'user answered', refused: 'user over 486', 'its audio': HEARS, 'hang up': HANGS_UP },
  answered: {
    attended: 'user answered',
    refused: 'user over 486, was reached',
    'its audio': HEARS,
    'hang up': HANGS_UP,
  },
  over: {},
};

describe('a call to a receiver or a device', () => {
  it.each(Object.keys(STATES))('%s: each input has its effect', (state) => {
    const walked = Object.entries(INPUTS).flatMap(([name, input]) => {
      const at = room();
      STATES[state]?.(at);
      at.done.length = 0;
      input(at);
      return at.done.length === 0 ? [] : [[name, at.done.join(', ')]];
    });
    expect(Object.fromEntries(walked)).toEqual(TABLE[state]);
  });

  it('goes out as an alarm, from the number as the mapper rewrites it, with what lets it in', () => {
    expect(room().placed()).toMatchObject({
      destination: 'sip:arc@example.com',
      origin: { user: '+46unit', host: 'care.example', trusted: false },
      plan: {
        policy: { profile: 'alarm', preferredCodec: 'PCMA' },
        trunkGroupId: 'trunks',
        mayReachServices: true,
      },
      towards: { headers: [['X-Key', 'k']] },
      setting: { purpose: 'alarm', ringMs: 45_000, durationMs: 600_000, endsSilent: false },
    });
  });

  it('is answered by us when the receiver calls', () => {
    const at = room(true);
    expect(at.placed()).toBeUndefined();
    expect(at.done).toEqual(['attend {}']);
    at.attended();
    at.over(CLEARED);
    expect(at.done.slice(1)).toEqual(['user answered', 'user over 16, was reached']);
  });

  it.each([
    ['80 ms', 80, 80],
    ['no length', 0, 100],
  ])('hears a digit by INFO with %s as one that has begun so long ago', (_, durationMs, ms) => {
    const at = room();
    const passed: unknown[] = [];
    at.call.hearInfo((digit, length) => passed.push([digit, length]));
    at.info('5', durationMs);
    const digit = { kind: 'digit', leg: 'leg', digit: '5', source: 'rfc4733', atMs: 5_000 - ms };
    expect(at.done).toEqual([
      `user heard ${JSON.stringify({ ...digit, edge: 'begin' })} by INFO`,
      `user heard ${JSON.stringify({ ...digit, edge: 'end', durationMs: ms })} by INFO`,
    ]);
    expect(passed).toEqual([['5', ms]]);
  });

  it('hears no digit by INFO once it is over', () => {
    const at = room();
    at.over(CLEARED);
    at.done.length = 0;
    at.info('5', 80);
    expect(at.done).toEqual([]);
  });

  it('gives its events to another user from the moment it is handed over', () => {
    const at = room();
    at.attended();
    at.call.handTo(at.userOf('speech'));
    at.over(CLEARED);
    expect(at.done).toEqual(['user answered', 'speech over 16, was reached']);
  });

  it.each([
    ['answered, detected and hung up', true, true, CLEARED, { hasHungUp: true, wasCutOff: false }],
    ['answered and hung up without a sound', true, false, CLEARED, { hasHungUp: false, wasCutOff: false }],
    ['answered, detected and lost', true, true, sip(408), { hasHungUp: false, wasCutOff: true }],
    ['refused', false, false, sip(486), { hasHungUp: false, wasCutOff: false }],
  ])('that was %s', (_, answers, speaks, reason, fate) => {
    const at = room();
    if (answers) at.attended();
    if (speaks) at.heard.add('leg');
    expect(at.call).toMatchObject({ isOver: false, hasHungUp: false });
    at.over(reason);
    expect(at.call).toMatchObject({ isOver: true, ...fate });
  });
});
