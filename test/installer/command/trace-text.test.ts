import { expect, test } from 'vitest';
import { ladderOf, TraceTail, timelineOf } from '#installer/command/operator/trace-text.ts';
import type { SessionTrace } from '#shared/contract/session-record/index.ts';
import { TRACE_MOST_STEPS } from '#shared/session-trace/index.ts';

const AT = Date.UTC(2026, 10, 26, 12);
const TRACE: SessionTrace = {
  ...{ traceId: 'trace-1', recordId: 'record-1', fetchedAt: AT, complete: true, media: [], events: [] },
  hosts: [{ hostId: 'gw-1', state: 'sent' }],
  steps: [
    {
      ...{ at: AT + 0.25, hostId: 'gw-1', party: 'device', direction: 'in', kind: 'sipReceived' },
      detail: { method: 'MESSAGE', uri: 'sip:scaip@pbx', source: '192.0.2.7:5060' },
    },
    {
      at: AT + 4.5,
      hostId: 'gw-1',
      party: 'host',
      direction: 'own',
      kind: 'stored',
      detail: { tookMs: 3.21 },
    },
    {
      ...{ at: AT + 5, hostId: 'gw-1', party: 'application', direction: 'out', kind: 'callbackSent' },
      detail: { url: 'https://arc.test' },
    },
    {
      at: AT + 1_005,
      hostId: 'gw-1',
      party: 'device',
      direction: 'out',
      kind: 'laterKind',
      detail: { a: 1 },
    },
  ],
};

test('a timeline has the time since the first step, the host and a sentence', () => {
  expect([...timelineOf(TRACE)]).toEqual([
    'trace trace-1   record record-1',
    '      0.0 ms  gw-1            receives SIP MESSAGE for sip:scaip@pbx from 192.0.2.7:5060',
    '      4.3 ms  gw-1            has it on disk after 3.2 ms',
    '      4.8 ms  gw-1            posts to https://arc.test',
    '   1004.8 ms  gw-1            laterKind {"a":1}',
  ]);
});

test('a ladder has an arrow for what comes and goes, and a star for acts of the host', () => {
  expect([...ladderOf(TRACE)]).toEqual([
    'trace trace-1   record record-1',
    '             device        host          application',
    '      0.0 ms |------------>|             |              receives SIP MESSAGE for sip:scaip@pbx from 192.0.2.7:5060',
    '      4.3 ms |             *             |              has it on disk after 3.2 ms',
    '      4.8 ms |             |------------>|              posts to https://arc.test',
    '   1004.8 ms |<------------|             |              laterKind {"a":1}',
  ]);
});

test('missing parts are named, with what the control plane has instead', () => {
  const lines = [
    ...timelineOf({
      ...TRACE,
      ...{ steps: [], complete: false },
      hosts: [
        { hostId: 'gw-1', state: 'away', since: AT },
        { hostId: 'gw-2', state: 'failed', reason: 'too old' },
        { hostId: 'gw-3', state: 'empty' },
      ],
      events: [
        {
          ...{ id: 'e', at: AT, receivedAt: AT, siteId: 'north', hostId: 'gw-1', lane: 'alarm' },
          ...{ type: 'alarmEvent', level: 'info', late: false, details: {} },
        },
      ],
    }),
  ];
  expect(lines.slice(1)).toEqual([
    'gw-1 is away since 2026-11-26T12:00:00.000Z; its steps are missing.',
    'gw-2 did not send its steps: too old.',
    'gw-3 has no step of this trace, or has overwritten it.',
    '2026-11-26T12:00:00.000Z  gw-1  event alarmEvent',
  ]);
});

test('a trace that grows is shown step by step, each step once', () => {
  const tail = new TraceTail();
  const [first, second, ...later] = [...timelineOf(TRACE)].slice(1);
  expect([...tail.next({ ...TRACE, steps: [] })]).toEqual(['trace trace-1   record record-1']);
  expect([...tail.next({ ...TRACE, steps: TRACE.steps.slice(0, 2) })]).toEqual([first, second]);
  expect([...tail.next(TRACE)]).toEqual(later);
  expect([...tail.next(TRACE)]).toEqual([]);
});

test.each([
  ['timeline', timelineOf],
  ['ladder', ladderOf],
])(
  'the %s of the longest trace is as long as the trace, and names the steps that are missing',
  (_, textOf) => {
    const [first, second] = TRACE.steps;
    if (first === undefined || second === undefined) throw new Error('the trace has no steps');
    const steps = Array.from({ length: TRACE_MOST_STEPS + 1 }, (__, at) => ({ ...second, at: AT + at }));
    steps[TRACE_MOST_STEPS / 2] = {
      ...second,
      at: AT + 25_000,
      kind: 'leftOut',
      detail: { steps: 12_345 } as never,
    };
    steps[0] = { ...first, at: AT } as never;
    const beganAt = process.cpuUsage();
    const lines = [...textOf({ ...TRACE, steps })];
    const { user } = process.cpuUsage(beganAt);
    const head = [...textOf({ ...TRACE, steps: [] })].length;
    expect(lines).toHaveLength(head + TRACE_MOST_STEPS + 1);
    expect(lines[head + TRACE_MOST_STEPS / 2]).toContain(
      'leaves out 12345 steps here: a trace shows 60000 at most',
    );
    expect(lines.join('\n').length).toBeLessThan(10_000_000);
    // Some hundred ms on an idle core: what grows with the square of the steps takes minutes.
    expect(user / 1e6).toBeLessThan(20);
  },
);
