import { describe, expect, it } from 'vitest';
import type { ActiveCall } from '#appliance/call/control/active-call/active-call.ts';
import { attemptOf, endTrace, tellCalls } from '#appliance/call/control/active-call/call-event.ts';
import { SessionTrace, type TraceEntry } from '#appliance/kernel/session-trace.ts';
import type { MediaEvent } from '#appliance/media/control/index.ts';
import type { SipResponse } from '#appliance/sip/message/index.ts';

/** A call that writes down its inputs. */
function call() {
  const reported: unknown[] = [];
  const entries: TraceEntry[] = [];
  const trace = new SessionTrace('trace', () => 1, {
    opened: () => undefined,
    added: (_, entry) => void entries.push(entry),
    joined: () => undefined,
    attempted: () => undefined,
  });
  const made = {
    audibleLegs: new Set<string>(),
    trace,
    input: (input: unknown) => reported.push(input),
    measured: (leg: string, windows: unknown) => reported.push(['measured', leg, windows]),
    onMedia: (event: MediaEvent) => reported.push(event.kind),
  };
  return { made: made as unknown as ActiveCall, told: reported, entries, trace, heard: made.audibleLegs };
}

describe('an event of the media engine', () => {
  it('about lost legs breaks the call of each, and only those that are calls', () => {
    const { made, told: reported } = call();
    tellCalls({ kind: 'lost', worker: 0, legs: ['a.1', 'b.1'], conferences: [] }, (leg) =>
      leg === 'a.1' ? made : undefined,
    );
    expect(reported).toEqual([
      {
        kind: 'broken',
        leg: 'a.1',
        status: 500,
        text: 'the audio of this call was lost with its media worker',
      },
    ]);
  });

  it.each(['overload', 'late'])('%s is about no call', (kind) => {
    const { made, told: reported } = call();
    tellCalls({ kind } as MediaEvent, () => made);
    expect(reported).toEqual([]);
  });

  it.each([
    [{}, false, {}],
    [{ aliveBy: 'reports' }, false, { aliveBy: 'reports' }],
    [{ aliveBy: 'comfortNoise' }, true, { aliveBy: 'comfortNoise' }],
  ])('about silence says whether the party was audible before: %j %s', (more, hadAudio, expected) => {
    const { made, told: reported, heard: received } = call();
    if (hadAudio) tellCalls({ kind: 'rtpStarted', leg: 'a.1' } as MediaEvent, () => made);
    expect(received.has('a.1')).toBe(hadAudio);
    tellCalls({ kind: 'rtpTimeout', leg: 'a.1', ...more } as MediaEvent, () => made);
    expect(reported.filter((each) => typeof each === 'object')).toEqual([
      { kind: 'silent', leg: 'a.1', hadAudio, ...expected },
    ]);
    // The watcher of the call gets the event, too.
    expect(reported.at(-1)).toBe('rtpTimeout');
  });

  it('about the end of reports, and about audio that comes again', () => {
    const { made, told: reported } = call();
    tellCalls({ kind: 'reportsEnded', leg: 'a.1' } as MediaEvent, () => made);
    tellCalls({ kind: 'rtpResumed', leg: 'a.1' } as MediaEvent, () => made);
    expect(reported).toEqual([
      { kind: 'silent', leg: 'a.1', hadAudio: false },
      'reportsEnded',
      { kind: 'heard', leg: 'a.1' },
      'rtpResumed',
    ]);
  });
});

describe('an attempt to reach a target', () => {
  const answer = (retryAfter?: string) => ({ header: () => retryAfter }) as unknown as SipResponse;

  it.each([
    [503, answer('30'), { kind: 'answered', status: 503, retryAfterS: 30 }],
    [503, answer(), { kind: 'answered', status: 503 }],
    [503, answer('soon'), { kind: 'answered', status: 503 }],
    // Without a response the status is ours.
    [408, undefined, { kind: 'timeout' }],
    [503, undefined, { kind: 'unreachable' }],
    [487, undefined, { kind: 'answered', status: 487 }],
  ])('%i %j', (status, response, expected) => {
    expect(attemptOf(status, response)).toEqual(expected);
  });
});

describe('the end of a call in its trace', () => {
  const ended = (kind: 'call' | 'recording' | 'alarm' | 'mediaService', more: object) => {
    const { trace, entries } = call();
    trace.open({ kind });
    endTrace({ trace, ...more } as unknown as ActiveCall);
    return entries.map(({ detail }) => detail);
  };
  const end = { protocol: 'SIP', cause: 486, text: 'Busy' };

  it.each(['call', 'recording'] as const)('names the reason of a %s, and whether it was answered', (kind) => {
    expect(ended(kind, { end, answeredMs: undefined })).toEqual([
      { outcome: 'ended', answered: false, reason: 'SIP 486 Busy', protocol: 'SIP', cause: 486 },
    ]);
    expect(ended(kind, { end, answeredMs: 5 })).toMatchObject([{ answered: true }]);
  });

  it('is no end when the call goes on in another one', () => {
    expect(ended('call', { end: undefined, answeredMs: 5 })).toEqual([
      { outcome: 'moved', answered: true, reason: 'the call went on in another call' },
    ]);
  });

  it.each(['alarm', 'mediaService'] as const)('is that of its own session when its kind is %s', (kind) => {
    expect(ended(kind, { end })).toEqual([]);
  });
});
