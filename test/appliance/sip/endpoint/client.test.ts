import { describe, expect, it } from 'vitest';
import type { Flow, Outcome, Outgoing, SentRequest } from '#appliance/sip/endpoint/index.ts';
import { responseTo, type SipRequest } from '#appliance/sip/message/index.ts';
import { parsed, Stage, tcp, udp } from './stage.ts';

const outgoing = (method: string): Outgoing => ({
  method,
  uri: 'sip:unit@192.0.2.1',
  headers: [
    ['From', '<sip:arc@192.0.2.254>;tag=local'],
    ['To', '<sip:unit@192.0.2.1>'],
    ['Call-ID', 'out-1'],
    ['CSeq', `7 ${method}`],
    ['Route', '<sip:proxy.example;lr>'],
  ],
});

class Caller {
  readonly stage = new Stage();
  readonly outcomes: Outcome[] = [];
  readonly client: SentRequest;
  readonly method: string;
  readonly flow: Flow;

  constructor(method: string, flow: Flow = udp) {
    this.flow = flow;
    this.method = method;
    this.client = this.stage.endpoint.request(outgoing(method), flow, this.stage.nowMs, (outcome) => {
      this.outcomes.push(outcome);
    });
  }

  /** The peer answers the first request of this method. */
  answer(status: number, method = this.method): void {
    const request = this.stage.requests().find((sent) => sent.method === method) as SipRequest;
    const bytes = responseTo(request, { address: '192.0.2.254', port: 5060 }, { status, toTag: 'remote' });
    this.stage.receive(bytes, this.flow);
  }

  get results(): string[] {
    return this.outcomes.map((each) => (each.kind === 'response' ? String(each.response.status) : each.kind));
  }

  /** When each message of this method left, ms after the start. */
  times(method = this.method): number[] {
    return this.stage.sent
      .filter(({ bytes }) => bytes.toString().startsWith(`${method} `))
      .map(({ atMs }) => atMs - 1_000);
  }
}

describe('a request that is no INVITE', () => {
  it('carries Via with a fresh branch and rport, and Max-Forwards', () => {
    const { stage } = new Caller('MESSAGE');
    const [request] = stage.requests();
    expect(request?.topVia).toMatchObject({ transport: 'UDP', sentBy: '192.0.2.254:5060', rport: 0 });
    expect(request?.topVia.branch).toMatch(/^z9hG4bK[0-9a-f]{16}$/);
    expect(request?.maxForwards).toBe(70);
  });

  it('is repeated at E, doubling to T2, and ends with timeout at F', () => {
    const caller = new Caller('MESSAGE');
    caller.stage.pass(60_000);
    expect(caller.times()).toEqual([
      0, 500, 1_500, 3_500, 7_500, 11_500, 15_500, 19_500, 23_500, 27_500, 31_500,
    ]);
    expect(caller.results).toEqual(['timeout']);
    expect(caller.stage.endpoint.clientCount).toBe(0);
  });

  it('is repeated every T2 after a provisional response', () => {
    const caller = new Caller('MESSAGE');
    caller.answer(100);
    caller.stage.pass(9_000);
    expect(caller.times()).toEqual([0, 500, 4_500, 8_500]);
  });

  it('hears its final response once and forgets it after K', () => {
    const caller = new Caller('MESSAGE');
    caller.answer(202);
    caller.answer(202);
    caller.stage.pass(4_999);
    expect(caller.stage.endpoint.clientCount).toBe(1);
    caller.stage.pass(1);
    caller.answer(202);
    expect(caller.results).toEqual(['202']);
    expect(caller.times()).toEqual([0]);
    expect(caller.stage.endpoint.counts.strayResponses).toBe(1);
  });

  it('is never repeated over a stream', () => {
    const caller = new Caller('MESSAGE', tcp);
    caller.stage.pass(31_999);
    expect(caller.times()).toEqual([0]);
    caller.stage.pass(1);
    expect(caller.results).toEqual(['timeout']);
  });

  it('fails at once with its connection, and only with its own', () => {
    const caller = new Caller('MESSAGE', tcp);
    caller.stage.endpoint.transportFailed({ ...tcp, connection: 8 }, caller.stage.nowMs);
    expect(caller.results).toEqual([]);
    caller.stage.endpoint.transportFailed(tcp, caller.stage.nowMs);
    expect(caller.results).toEqual(['transportFailed']);
    expect(caller.stage.endpoint.nextDueMs()).toBeUndefined();
  });
});

describe('INVITE as client', () => {
  it('is repeated at A, doubling without end, and ends with timeout at B', () => {
    const caller = new Caller('INVITE');
    caller.stage.pass(60_000);
    expect(caller.times()).toEqual([0, 500, 1_500, 3_500, 7_500, 15_500, 31_500]);
    expect(caller.results).toEqual(['timeout']);
  });

  it('waits without end once it rings', () => {
    const caller = new Caller('INVITE');
    caller.answer(180);
    caller.stage.pass(600_000);
    expect(caller.times()).toEqual([0]);
    expect(caller.results).toEqual(['180']);
  });

  it('acknowledges a refusal itself, each time it comes, until D', () => {
    const caller = new Caller('INVITE');
    caller.answer(486);
    caller.answer(486);
    expect(caller.results).toEqual(['486']);
    const acks = caller.stage.requests().filter((request) => request.method === 'ACK');
    expect(acks).toHaveLength(2);
    const [invite] = caller.stage.requests();
    expect(acks[0]).toMatchObject({
      uriText: 'sip:unit@192.0.2.1',
      callId: 'out-1',
      cseq: { seq: 7, method: 'ACK' },
    });
    expect(acks[0]?.topVia.branch).toBe(invite?.topVia.branch);
    expect(acks[0]?.to.tag).toBe('remote');
    expect(acks[0]?.header('Route')).toBe('<sip:proxy.example;lr>');
    caller.stage.pass(32_000);
    expect(caller.stage.endpoint.clientCount).toBe(0);
  });

  it('acknowledges a refusal whose To holds an escaped NUL', () => {
    const caller = new Caller('INVITE');
    const [invite] = caller.stage.requests();
    const refusal = [
      'SIP/2.0 486 Busy Here',
      `Via: ${invite?.header('Via')}`,
      'From: <sip:arc@192.0.2.254>;tag=local',
      'To: "\\\0" <sip:unit@192.0.2.1>;tag=remote',
      'Call-ID: out-1',
      'CSeq: 7 INVITE',
    ];
    caller.stage.receive([...refusal, '', ''].join('\r\n'));
    expect(caller.stage.defects).toEqual([]);
    expect(caller.times('ACK')).toEqual([0]);
  });

  it('hands on every 2xx, also of a second fork, and leaves the ACK to its user', () => {
    const caller = new Caller('INVITE');
    caller.answer(200);
    caller.answer(200);
    expect(caller.results).toEqual(['200', '200']);
    expect(caller.times('ACK')).toEqual([]);
    caller.stage.endpoint.sendAck(outgoing('ACK'), udp, caller.stage.nowMs);
    const ack = caller.stage.requests().find(({ method }) => method === 'ACK');
    expect(ack?.topVia.branch).toMatch(/^z9hG4bK/);
    expect(ack?.topVia.branch).not.toBe(caller.client.branch);
  });

  it('cancels only after a provisional response, in the same branch, once', () => {
    const caller = new Caller('INVITE');
    caller.client.cancel(caller.stage.nowMs);
    caller.client.cancel(caller.stage.nowMs);
    expect(caller.times('CANCEL')).toEqual([]);
    caller.answer(180);
    caller.client.cancel(caller.stage.nowMs);
    expect(caller.times('CANCEL')).toEqual([0]);
    const cancel = caller.stage.requests().find((request) => request.method === 'CANCEL');
    expect(cancel?.topVia.branch).toBe(caller.client.branch);
    expect(cancel?.cseq).toEqual({ seq: 7, method: 'CANCEL' });
    caller.answer(200, 'CANCEL');
    caller.answer(487);
    expect(caller.results).toEqual(['180', '487']);
    expect(caller.times('ACK')).toEqual([0]);
    caller.stage.pass(40_000);
    expect(caller.stage.endpoint.clientCount).toBe(0);
  });

  it('ends when the peer ignores CANCEL for 64 × T1', () => {
    const caller = new Caller('INVITE');
    caller.answer(180);
    caller.client.cancel(caller.stage.nowMs);
    caller.stage.pass(32_000);
    expect(caller.results).toEqual(['180', 'timeout']);
  });
});

it('counts responses that match nothing and says nothing', () => {
  const caller = new Caller('MESSAGE');
  const [request] = caller.stage.requests();
  const stray =
    caller.stage.sent[0]?.bytes.toString().replaceAll(request?.topVia.branch ?? '', 'z9hG4bKstranger') ?? '';
  const bytes = responseTo(
    parsed(Buffer.from(stray)),
    { address: '192.0.2.254', port: 5060 },
    { status: 200 },
  );
  caller.stage.receive(bytes);
  expect(caller.results).toEqual([]);
  expect(caller.stage.endpoint.counts.strayResponses).toBe(1);
  expect(caller.stage.sent).toHaveLength(1);
});

it('refuses our own misuse with TypeError and keeps nothing of it', () => {
  const { endpoint } = new Stage();
  const bad = { ...outgoing('MESSAGE'), headers: [['Subject', 'a\nb'] as const] };
  expect(() => endpoint.request(bad, udp, 0, () => undefined)).toThrow(TypeError);
  expect(() => endpoint.request({ ...outgoing('INVITE'), method: 'BYE' }, udp, 0, () => undefined)).toThrow(
    TypeError,
  );
  expect(endpoint.clientCount).toBe(0);
});
