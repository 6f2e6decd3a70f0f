import { beforeEach, describe, expect, it } from 'vitest';
import type { Flow, Outcome, Outgoing, SentRequest, StreamRoutes } from '#appliance/sip/endpoint/index.ts';
import { responseTo, type SipRequest } from '#appliance/sip/message/index.ts';
import { parsed, Stage, udp } from './stage.ts';

/* RFC 3261 18.1.1: what is longer than 1,300 bytes goes over a connection, and by UDP where none is to be had. */

const stream: Flow = { ...udp, transport: 'TCP', reliable: true, localPort: 40_000, connection: 9 };

let stage: Stage;
let outcomes: Outcome[];
let failed: Flow[];
/** Answers the one who waits for a connection. */
let opened: ((found: Flow | undefined) => void) | undefined;

const outgoing = (method: string, bytes: number, more: Partial<Outgoing> = {}): Outgoing => ({
  method,
  uri: 'sip:unit@192.0.2.1',
  headers: [
    ['From', '<sip:arc@192.0.2.254>;tag=local'],
    ['To', '<sip:unit@192.0.2.1>'],
    ['Call-ID', 'long-1'],
    ['CSeq', `7 ${method}`],
  ],
  body: Buffer.alloc(bytes, 'x'),
  ...more,
});

const send = (method: string, bytes = 1_300, more: Partial<Outgoing> = {}): SentRequest =>
  stage.endpoint.request(outgoing(method, bytes, more), udp, stage.nowMs, (outcome) =>
    outcomes.push(outcome),
  );

/** Method, transport of the flow and of Via of all that was sent. */
const left = (): string[] =>
  stage.sent.map(({ flow, bytes }) => {
    const message = parsed(bytes);
    return message.kind === 'request'
      ? `${message.method} ${flow.transport} ${message.topVia.transport}`
      : String(message.status);
  });

const answer = (status: number, nth = 0): void => {
  const request = stage.requests()[nth] as SipRequest;
  const flow = stage.sent[nth]?.flow ?? udp;
  const bytes = responseTo(request, { address: '192.0.2.254', port: 5060 }, { status, toTag: 'remote' });
  stage.receive(bytes, flow);
};

const reported = (): string[] =>
  outcomes.map((each) => (each.kind === 'response' ? String(each.response.status) : each.kind));

beforeEach(() => {
  outcomes = [];
  failed = [];
  opened = undefined;
  const streams: StreamRoutes = {
    open: (_outgoing, _flow, done) => {
      opened = (found) => done(found, stage.nowMs);
    },
    failed: (flow) => failed.push(flow),
  };
  stage = new Stage({ effects: { streams } });
});

describe('a request of more than 1,300 bytes', () => {
  it.each(['INVITE', 'MESSAGE', 'REGISTER', 'INFO'])(
    '%s goes over a connection, and Via says so',
    (method) => {
      const sent = send(method);
      expect(left()).toEqual([]);
      opened?.(stream);
      expect(left()).toEqual([`${method} TCP TCP`]);
      expect(sent.flow).toBe(stream);
      answer(200);
      expect(reported()).toEqual(['200']);
    },
  );

  it('goes by UDP at once when no peer takes a connection, with all that UDP needs', () => {
    send('MESSAGE');
    opened?.(undefined);
    expect(left()).toEqual(['MESSAGE UDP UDP']);
    stage.pass(500);
    expect(left()).toEqual(['MESSAGE UDP UDP', 'MESSAGE UDP UDP']);
  });

  it.each([
    ['breaks', (): void => stage.endpoint.transportFailed(stream, stage.nowMs)],
    ['says nothing', (): void => stage.pass(6_000)],
  ])(
    'goes by UDP when its connection %s before any response: the same request in another branch',
    (_, how) => {
      send('INVITE');
      opened?.(stream);
      how();
      expect(left()).toEqual(['INVITE TCP TCP', 'INVITE UDP UDP']);
      const [first, second] = stage.requests();
      expect(second?.topVia.branch).not.toBe(first?.topVia.branch);
      expect([second?.callId, second?.cseq, second?.from.tag]).toEqual([
        first?.callId,
        first?.cseq,
        first?.from.tag,
      ]);
      expect(failed).toEqual([udp]);
      expect(reported()).toEqual([]);
      answer(200, 1);
      expect(reported()).toEqual(['200']);
    },
  );

  it('learns of a connection that breaks behind a response, and goes nowhere else', () => {
    send('INVITE');
    opened?.(stream);
    answer(180);
    stage.endpoint.transportFailed(stream, stage.nowMs);
    expect(reported()).toEqual(['180', 'transportFailed']);
    expect(left()).toEqual(['INVITE TCP TCP']);
    expect(failed).toEqual([]);
  });

  it('rings on for minutes over its connection', () => {
    send('INVITE');
    opened?.(stream);
    answer(180);
    stage.pass(170_000);
    expect(reported()).toEqual(['180']);
  });

  it('is never sent when it is cancelled before there is a connection', () => {
    const sent = send('INVITE');
    sent.cancel(stage.nowMs);
    opened?.(stream);
    expect(left()).toEqual([]);
    expect(reported()).toEqual(['timeout']);
    expect(stage.endpoint.clientCount).toBe(0);
  });

  it('is cancelled where it went', () => {
    const sent = send('INVITE');
    opened?.(stream);
    answer(180);
    sent.cancel(stage.nowMs);
    expect(left()).toEqual(['INVITE TCP TCP', 'CANCEL TCP TCP']);
    expect(stage.requests()[1]?.topVia.branch).toBe(sent.branch);
  });

  it('is not begun again by UDP for a caller who has left', () => {
    const sent = send('INVITE');
    opened?.(stream);
    sent.leave();
    stage.endpoint.transportFailed(stream, stage.nowMs);
    expect(left()).toEqual(['INVITE TCP TCP']);
    expect(reported()).toEqual([]);
  });
});

describe('UDP it stays', () => {
  it.each([
    ['for what is short', () => send('INVITE', 600)],
    ['for what only its flow leads to', () => send('INVITE', 1_300, { pinned: true })],
  ])('%s', (_, sending) => {
    sending();
    expect(opened).toBeUndefined();
    expect(left()).toEqual(['INVITE UDP UDP']);
  });

  it('by the byte: 1,300 and no more', () => {
    send('MESSAGE', 600);
    const room = 1_300 - (stage.sent[0]?.bytes.length ?? 0) + 600;
    stage.sent.length = 0;
    // Content-Length has one digit more.
    send('MESSAGE', room - 1);
    expect([stage.sent[0]?.bytes.length, opened]).toEqual([1_300, undefined]);
    send('MESSAGE', room);
    expect(opened).toBeDefined();
  });
});

it('the ACK of a 2xx with a long answer goes over a connection, or by UDP', () => {
  stage.endpoint.sendAck(outgoing('ACK', 1_300), udp, stage.nowMs);
  opened?.(stream);
  stage.endpoint.sendAck(outgoing('ACK', 1_300), udp, stage.nowMs);
  opened?.(undefined);
  expect(left()).toEqual(['ACK TCP TCP', 'ACK UDP UDP']);
});
