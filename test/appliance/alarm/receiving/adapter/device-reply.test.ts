import { describe, expect, test } from 'vitest';
import { DeviceReply } from '#appliance/alarm/receiving/adapter/device-reply.ts';
import { openTimers } from '#appliance/kernel/engine-timers.ts';
import type { SessionTrace } from '#appliance/kernel/session-trace.ts';
import { DeviceLine, type LineOutcome } from '#appliance/registration/device-line.ts';
import type { Contact } from '#appliance/registration/device-place.ts';
import type { Flow } from '#appliance/sip/endpoint/index.ts';
import { fail } from '#shared/result.ts';

const MINUTE_MS = 60_000;

/** A reply with everything that left by it: MESSAGE requests, responses, and lines of the trace. */
function rig() {
  let nowMs = 0;
  const sent: {
    address: string;
    uri: string;
    to: string | undefined;
    body: string;
    end: (outcome: LineOutcome) => void;
  }[] = [];
  const responses: (readonly [address: string, status: number, body: string])[] = [];
  const traced: (readonly [string, unknown])[] = [];
  const clock = { monoMs: () => nowMs, wallMs: () => nowMs };
  const ports = { clock, log: () => undefined, random: (bytes: number) => new Uint8Array(bytes) };
  const line = new DeviceLine(
    { clock, timers: openTimers(ports), run: () => undefined },
    { open: async () => fail('Unreachable', 'no listener') },
  );
  let contacts: readonly Contact[] = [];
  const reply = new DeviceReply(ports as never, {
    line,
    answering: () => contacts,
    pages: { add: () => undefined } as never,
    newAttempt: () => ({
      callId: 'call',
      send: ({ uri, headers, body }, flow, end) =>
        void sent.push({
          address: flow.remoteAddress,
          uri,
          to: headers.find(([name]) => name === 'To')?.[1],
          body: Buffer.from(body).toString(),
          end,
        }),
    }),
  });
  const trace = { add: (kind: string, fields: unknown) => traced.push([kind, fields]), takePage: () => [] };
  return {
    reply,
    trace: trace as unknown as SessionTrace,
    traced,
    responses,
    sent,
    messages: () => sent.map(({ address, body }) => `${address} ${body}`),
    at: (ms: number) => {
      nowMs = ms;
    },
    registered: (...found: Contact[]) => {
      contacts = found;
    },
    /** Opens the path of a request; `waits`: its 200 is still to come. */
    open(remoteAddress: string, { device = 'sip:unit@care.example', waits = true } = {}) {
      const flow = { transport: 'UDP', remoteAddress, remotePort: 5060, connection: 0 } as unknown as Flow;
      const waiting = {
        respond: ({ status, body }: { status: number; body?: Uint8Array }) =>
          responses.push([remoteAddress, status, Buffer.from(body ?? []).toString()]),
      } as never;
      return reply.open({
        flow,
        device,
        ports: [],
        us: 'sip:centre@care.example',
        contentType: 'application/scaip+xml',
        waiting: waits ? waiting : undefined,
      });
    },
  };
}

type Answer = Parameters<DeviceReply['answer']>[0];
const answer = (to: readonly string[], mode: Answer['mode']): Answer =>
  ({ type: 'answer', to, xml: '<ok/>', mode, response: { ref: '1', snu: 0 } }) as unknown as Answer;

describe('an answer to a device', () => {
  test.each<[Answer['mode'], string[], (readonly [string, number, string])[]]>([
    ['message', ['192.0.2.1 <ok/>'], []],
    ['in200', [], [['192.0.2.1', 200, '<ok/>']]],
    ['both', ['192.0.2.1 <ok/>'], [['192.0.2.1', 200, '<ok/>']]],
  ])('goes out as the profile wants it: %s', (mode, messages, responses) => {
    const r = rig();
    r.reply.answer(answer([r.open('192.0.2.1').id], mode), r.trace);
    expect(r.messages()).toEqual(messages);
    expect(r.responses).toEqual(responses);
  });

  test('answers every 200 that waits, and sends one MESSAGE for each address', () => {
    const r = rig();
    const ids = ['192.0.2.1', '192.0.2.1', '203.0.113.9'].map((address) => r.open(address).id);
    r.reply.answer(answer(ids, 'both'), r.trace);
    expect(r.responses).toHaveLength(3);
    expect(r.messages()).toEqual(['192.0.2.1 <ok/>', '203.0.113.9 <ok/>']);
  });

  test('says in the trace that no path is left, and sends nothing', () => {
    const r = rig();
    r.reply.answer(answer(['77'], 'both'), r.trace);
    expect(r.messages()).toEqual([]);
    expect(r.traced.map(([kind]) => kind)).toEqual(['deviceAnswered', 'deviceUnreached']);
  });

  test.each<[LineOutcome, string, string | undefined]>([
    [{ kind: 'answered', response: { status: 200 } as never }, 'deviceConfirmed', undefined],
    [{ kind: 'answered', response: { status: 299 } as never }, 'deviceConfirmed', undefined],
    [{ kind: 'answered', response: { status: 300 } as never }, 'deviceUnreached', 'SIP 300'],
    [{ kind: 'answered', response: { status: 403 } as never }, 'deviceUnreached', 'SIP 403'],
    [{ kind: 'silent' }, 'deviceUnreached', 'silent'],
    [{ kind: 'unreachable', reason: 'x' }, 'deviceUnreached', 'unreachable'],
  ])('ends with %j as %s', (outcome, kind, reason) => {
    const r = rig();
    r.reply.answer(answer([r.open('192.0.2.1').id], 'message'), r.trace);
    r.sent[0]?.end(outcome);
    expect(r.traced.at(-1)).toEqual([kind, expect.objectContaining(reason === undefined ? {} : { reason })]);
  });

  test('goes to the address of the request, also where a binding without proof lies elsewhere', () => {
    const r = rig();
    const elsewhere = { uri: 'sip:unit@203.0.113.66', hop: 'sip:unit@203.0.113.66', flow: undefined };
    r.registered({ ...elsewhere, path: [], proven: false, source: '203.0.113.66', sinceMs: 0 });
    r.reply.answer(answer([r.open('192.0.2.1').id], 'message'), r.trace);
    r.sent[0]?.end({ kind: 'unreachable', reason: 'closed' });
    expect(r.messages()).toEqual(['192.0.2.1 <ok/>']);
  });

  test('escapes names beyond ASCII, of the request and of a binding', () => {
    const r = rig();
    const path = r.open('192.0.2.1', { device: 'sip:h\u00e9@care.example' });
    r.reply.answer(answer([path.id], 'message'), r.trace);
    const binding = { uri: 'sip:\u00fc@192.0.2.1', hop: '', flow: path.flow, path: [], proven: false };
    r.registered({ ...binding, source: '192.0.2.1', sinceMs: 0 });
    r.reply.answer(answer([path.id], 'message'), r.trace);
    expect(r.sent.map(({ uri, to }) => [uri, to])).toEqual([
      ['sip:h%e9@192.0.2.1:5060', '<sip:h%e9@care.example>'],
      ['sip:%fc@192.0.2.1', '<sip:h%e9@care.example>'],
    ]);
  });
});

describe('one answer to one request', () => {
  test('an empty text sends no MESSAGE, and a 200 without body', () => {
    const r = rig();
    r.reply.give(r.open('192.0.2.1'), '', 'both', r.trace);
    expect(r.messages()).toEqual([]);
    expect(r.responses).toEqual([['192.0.2.1', 200, '']]);
  });

  test('silence turns a 200 that waits into 503, and leaves a path alone that waits for none', () => {
    const r = rig();
    r.reply.silence([r.open('192.0.2.1').id, r.open('192.0.2.2', { waits: false }).id, '77']);
    expect(r.responses).toEqual([['192.0.2.1', 503, '']]);
    expect(r.messages()).toEqual([]);
  });
});

describe('a reply path', () => {
  test('is found by user and address, the newest of them, for five minutes', () => {
    const r = rig();
    r.open('192.0.2.1');
    const newest = r.open('192.0.2.1');
    expect(r.reply.replyPathFrom('unit', '192.0.2.1')?.id).toBe(newest.id);
    expect(r.reply.replyPathFrom('unit', '192.0.2.2')).toBeUndefined();
    expect(r.reply.replyPathFrom('other', '192.0.2.1')).toBeUndefined();
    r.at(5 * MINUTE_MS - 1);
    r.open('198.51.100.1');
    expect(r.reply.replyPathFrom('unit', '192.0.2.1')?.id).toBe(newest.id);
    r.at(5 * MINUTE_MS);
    r.open('198.51.100.1');
    expect(r.reply.replyPathFrom('unit', '192.0.2.1')).toBeUndefined();
  });

  test('that is forgotten takes a later one of the same device not along', () => {
    const r = rig();
    r.open('192.0.2.1');
    r.at(4 * MINUTE_MS);
    const later = r.open('192.0.2.1');
    r.at(6 * MINUTE_MS);
    r.open('198.51.100.1');
    expect(r.reply.replyPathFrom('unit', '192.0.2.1')?.id).toBe(later.id);
  });
});
