import { describe, expect, it } from 'vitest';
import type { AttemptPlan, AttemptUser } from '#appliance/alarm/sending/attempt/attempt.ts';
import { CallbackAttempt } from '#appliance/alarm/sending/attempt/callback-attempt.ts';
import { FrameAttempt } from '#appliance/alarm/sending/attempt/frame-attempt.ts';
import type { FrameLines } from '#appliance/alarm/sending/attempt/frame-line.ts';
import { notReached } from '#appliance/alarm/sending/attempt/over-reason.ts';
import { SessionTrace } from '#appliance/kernel/session-trace.ts';

/** Writes down what an attempt tells of its event. */
function listener() {
  const reports: string[] = [];
  const user: AttemptUser = {
    acknowledged: (id, text) => void reports.push(`acknowledged ${id} ${text}`),
    queued: (id) => void reports.push(`queued ${id}`),
    failed: (id, { warning, onward }) => void reports.push(`failed ${id} ${warning} ${onward}`),
    speech: (id, { kind }) => void reports.push(`speech ${id} ${kind}`),
    command: (id) => void reports.push(`command ${id}`),
    lineOver: (id) => void reports.push(`lineOver ${id}`),
    passes: () => false,
    shows: async (destination, timeMs) => void reports.push(`shows ${destination} ${timeMs}`),
    done: () => void reports.push('done'),
    signOfLife: (answered) => void reports.push(answered ? 'transport answers' : 'transport is silent'),
  };
  return { reports, user };
}

const plan = (destination: string): AttemptPlan =>
  ({
    id: 's',
    target: { protocol: 'dc09' },
    address: { destination },
    reference: { sequence: '0007', atMs: 5, ref: 'abcd' },
    trace: new SessionTrace('t', () => 0),
  }) as unknown as AttemptPlan;

describe('an event that goes out as an HTTPS request', () => {
  const TAKEN = ['transport answers', 'acknowledged s {}', 'speech s none', 'done'];
  const refused = (warning: string, onward: string) => [
    'transport answers',
    `failed s ${warning} ${onward}`,
    'done',
  ];
  const answered = (status: number) => ({ kind: 'answered', status, body: '', headers: {} });

  async function post(outcome: unknown, abandons = false): Promise<readonly string[]> {
    const { reports, user } = listener();
    const works: Promise<unknown>[] = [];
    const attempt = new CallbackAttempt(plan('https://x'), { body: '{}' } as never, user, {
      call: async () => outcome,
      tenant: () => ({ domain: 'd' }),
      clock: { monoMs: () => 0 },
      run: (work: Promise<unknown>) => void works.push(work),
      turn: (work: () => void) => work(),
    } as never);
    attempt.begin();
    if (abandons) attempt.abandon();
    await Promise.all(works);
    return reports;
  }

  it.each([
    { outcome: answered(200), reports: TAKEN },
    { outcome: answered(204), reports: TAKEN },
    { outcome: answered(401), reports: refused('authFailed', 'alternate') },
    { outcome: answered(403), reports: refused('authFailed', 'alternate') },
    { outcome: answered(400), reports: refused('rejected', 'once') },
    { outcome: answered(422), reports: refused('rejected', 'once') },
    { outcome: answered(500), reports: refused('rejected', 'alternate') },
    { outcome: answered(503), reports: refused('rejected', 'alternate') },
    {
      outcome: { kind: 'failed', reason: 'no route' },
      reports: ['transport is silent', 'failed s noRoute alternate', 'done'],
    },
  ])('$outcome: $reports', async ({ outcome, reports }) => {
    expect(await post(outcome)).toEqual(reports);
  });

  it('reports nothing once it was abandoned', async () => {
    expect(await post(answered(200), true)).toEqual([]);
    expect(await post({ kind: 'failed', reason: 'no route' }, true)).toEqual([]);
  });
});

describe('an event that goes out as a frame', () => {
  type Outcome = Parameters<Parameters<FrameLines['send']>[3]>[0];

  function frame(setting: { readonly isDc07?: boolean } = {}) {
    const { reports, user } = listener();
    const sent: { to: { transport: string }; sequence: string }[] = [];
    let end: (outcome: Outcome) => void = () => undefined;
    let abandoned = 0;
    const lines = {
      send: (
        to: { transport: string },
        { sequence }: { sequence: string },
        _at: unknown,
        over: typeof end,
      ) => {
        sent.push({ to, sequence });
        end = over;
        return () => void abandoned++;
      },
    } as unknown as FrameLines;
    const said = { token: 'SIA-DCS', account: '1234', data: '#1234|NBA1' } as never;
    const attempt = new FrameAttempt(plan('192.0.2.7:5000'), said, user, lines, setting);
    attempt.begin();
    return {
      reports,
      sent,
      attempt,
      end: (outcome: unknown) => end(outcome as Outcome),
      abandoned: () => abandoned,
    };
  }

  it.each([
    {
      outcome: { kind: 'done' },
      reports: [
        'transport answers',
        'acknowledged s "SIA-DCS"0007L0#1234[#1234|NBA1]',
        'speech s none',
        'done',
      ],
    },
    {
      outcome: { kind: 'failed', warning: 'noAnswer', reason: 'silence' },
      reports: ['transport is silent', 'failed s noAnswer alternate', 'done'],
    },
    {
      outcome: { kind: 'failed', warning: 'noRoute', reason: 'refused' },
      reports: ['transport is silent', 'failed s noRoute alternate', 'done'],
    },
    {
      outcome: { kind: 'failed', warning: 'rejected', reason: 'DUH' },
      reports: ['transport answers', 'failed s rejected alternate', 'done'],
    },
  ])('$outcome: $reports', ({ outcome, reports }) => {
    const at = frame();
    at.end(outcome);
    expect(at.reports).toEqual(reports);
    expect(at.sent).toMatchObject([{ sequence: '0007', to: { transport: 'tcp' } }]);
  });

  it('gives up its line when it is abandoned', () => {
    const at = frame({ isDc07: true });
    at.attempt.abandon();
    expect(at.abandoned()).toBe(1);
    expect(at.reports).toEqual([]);
  });
});

describe('an unanswered call', () => {
  it.each([
    { cause: 401, warning: 'authFailed' },
    { cause: 403, warning: 'authFailed' },
    { cause: 407, warning: 'authFailed' },
    { cause: 404, warning: 'noRoute' },
    { cause: 410, warning: 'noRoute' },
    { cause: 503, warning: 'noRoute' },
    { cause: 604, warning: 'noRoute' },
    { cause: 408, warning: 'noAnswer' },
    { cause: 480, warning: 'noAnswer' },
    { cause: 487, warning: 'noAnswer' },
    { cause: 486, warning: 'busy' },
    { cause: 600, warning: 'busy' },
    { cause: 603, warning: 'rejected' },
    { cause: 500, warning: 'rejected' },
  ])('$cause: $warning, and the other transport is tried', ({ cause, warning }) => {
    const failure = notReached({ cause, text: 'said so' } as never);
    expect(failure).toEqual({
      warning,
      reason: `the call to the receiver failed: ${cause} said so`,
      onward: 'alternate',
    });
  });
});
