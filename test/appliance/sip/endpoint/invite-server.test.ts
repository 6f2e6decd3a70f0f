import { describe, expect, it } from 'vitest';
import type { EndpointEffects } from '#appliance/sip/endpoint/index.ts';
import { requestText, Stage, tcp } from './stage.ts';

const invite = (branch = 'z9hG4bKinv', extra: readonly string[] = []): string =>
  requestText({ method: 'INVITE', branch, extra: ['Contact: <sip:unit@192.0.2.1>', ...extra] });
const ackOf = (stage: Stage, branch = 'z9hG4bKinv'): string =>
  requestText({ method: 'ACK', branch, to: stage.responses().at(-1)?.header('To') ?? '', cseq: '1 ACK' });
const cancel = requestText({ method: 'CANCEL', branch: 'z9hG4bKinv', cseq: '1 CANCEL' });

/** Effects that do nothing: only the one under test matters. */
const silent: EndpointEffects = {
  send: () => undefined,
  deliver: () => undefined,
  acknowledged: () => undefined,
  onDefect: (error) => {
    throw error;
  },
};

const began = (status?: number): Stage => {
  const stage = new Stage();
  stage.receive(invite());
  if (status !== undefined) stage.delivered[0]?.server.respond({ status }, stage.nowMs);
  return stage;
};

describe('INVITE as server', () => {
  it('is answered 100 after 200 ms of thinking, and repeats it', () => {
    const stage = began();
    stage.pass(199);
    expect(stage.statuses()).toEqual([]);
    stage.pass(1);
    stage.receive(invite());
    expect(stage.statuses()).toEqual([100, 100]);
    expect(stage.responses()[0]?.to.tag).toBeUndefined();
  });

  it('is not answered 100 when something was sent before', () => {
    const stage = began(180);
    stage.pass(10_000);
    expect(stage.statuses()).toEqual([180]);
  });

  it('repeats a refusal by timer G, doubling to T2, until timer H, and reports the missing ACK', () => {
    const stage = began(486);
    stage.pass(40_000);
    expect(stage.sent.map(({ atMs }) => atMs - 1_000)).toEqual([
      0, 500, 1_500, 3_500, 7_500, 11_500, 15_500, 19_500, 23_500, 27_500, 31_500,
    ]);
    expect(stage.failures).toEqual(['INVITE timeout']);
    expect(stage.endpoint.serverCount).toBe(0);
  });

  it('stops repeating with the ACK, absorbs its retransmissions, and ends after timer I', () => {
    const stage = began(486);
    stage.pass(600);
    stage.receive(ackOf(stage));
    stage.pass(4_999);
    stage.receive(ackOf(stage));
    stage.receive(invite());
    expect(stage.statuses()).toEqual([486, 486]);
    expect(stage.acks).toHaveLength(0);
    expect(stage.endpoint.serverCount).toBe(1);
    stage.pass(1);
    expect(stage.endpoint.serverCount).toBe(0);
    expect(stage.failures).toEqual([]);
  });

  it('sends a refusal once over a stream and forgets it with the ACK', () => {
    const stage = new Stage();
    stage.receive(invite(), tcp);
    stage.delivered[0]?.server.respond({ status: 603 }, stage.nowMs);
    stage.pass(20_000);
    expect(stage.statuses()).toEqual([603]);
    stage.receive(ackOf(stage), tcp);
    expect(stage.endpoint.serverCount).toBe(0);
  });

  it('leaves the repetition of a 2xx to its user and absorbs INVITE until timer L', () => {
    const stage = began(200);
    stage.receive(invite());
    expect(stage.statuses()).toEqual([200]);
    stage.delivered[0]?.server.repeatFinal(stage.nowMs);
    expect(stage.statuses()).toEqual([200, 200]);
    stage.receive(ackOf(stage, 'z9hG4bKackbranch'));
    stage.receive(ackOf(stage));
    expect(stage.acks).toHaveLength(2);
    stage.pass(32_000);
    expect(stage.endpoint.serverCount).toBe(0);
    expect(stage.delivered).toHaveLength(1);
  });

  it('is answered 408 and reported when its user never decides', () => {
    const stage = began(180);
    stage.pass(185_000);
    expect(stage.statuses().slice(0, 2)).toEqual([180, 408]);
    expect(stage.defects).toHaveLength(1);
  });

  it('is no defect where its user hears of it; a 1xx gives it time, 100 does not', () => {
    const overdue: string[] = [];
    const received = new Stage({
      effects: { overdue: (server) => overdue.push(server.method) },
    });
    received.receive(requestText({ method: 'INVITE', extra: ['Contact: <sip:unit@192.0.2.1>'] }));
    const server = received.delivered[0]?.server;
    received.pass(100_000);
    server?.respond({ status: 183 }, received.nowMs);
    received.pass(100_000);
    server?.respond({ status: 100 }, received.nowMs);
    expect([received.statuses().includes(408), overdue]).toEqual([false, []]);
    received.pass(85_000);
    expect([received.statuses().includes(408), overdue, received.defects]).toEqual([true, ['INVITE'], []]);
  });

  it('copies Record-Route into 2xx only from the request, and Via in order', () => {
    const stage = new Stage();
    const text = invite('z9hG4bKrr', [
      'Record-Route: <sip:p2;lr>, <sip:p1;lr>',
      'Via: SIP/2.0/UDP far.example;branch=z9hG4bKf',
    ]);
    stage.receive(text);
    stage.delivered[0]?.server.respond({ status: 200 }, stage.nowMs);
    const response = stage.responses()[0];
    expect(response?.header('Record-Route')).toBe('<sip:p2;lr>, <sip:p1;lr>');
    expect(response?.vias.ok && response.vias.value.map((via) => via.branch)).toEqual([
      'z9hG4bKrr',
      'z9hG4bKf',
    ]);
  });
});

describe('CANCEL', () => {
  it('is answered 200 with the tag of the INVITE, which is then answered 487', () => {
    const stage = began(180);
    stage.receive(cancel);
    expect(stage.responses().map(({ status, cseq }) => `${status} ${cseq.method}`)).toEqual([
      '180 INVITE',
      '200 CANCEL',
      '487 INVITE',
    ]);
    expect(new Set(stage.responses().map((response) => response.to.tag)).size).toBe(1);
    stage.receive(cancel);
    expect(stage.statuses().at(-1)).toBe(200);
    stage.receive(ackOf(stage));
    stage.pass(40_000);
    expect(stage.endpoint.serverCount).toBe(0);
  });

  it('does nothing to an INVITE that was answered', () => {
    const stage = began(200);
    stage.receive(cancel);
    expect(stage.responses().map(({ status, cseq }) => `${status} ${cseq.method}`)).toEqual([
      '200 INVITE',
      '200 CANCEL',
    ]);
  });

  it('is answered 481 when it means nothing we know', () => {
    const stage = new Stage();
    stage.receive(cancel);
    expect(stage.statuses()).toEqual([481]);
  });

  it('goes to the user that wants to decide itself', () => {
    const cancelled: string[] = [];
    const stage = new Stage({ effects: { ...silent, cancelled: (server) => cancelled.push(server.method) } });
    stage.receive(invite());
    stage.receive(cancel);
    expect(cancelled).toEqual(['INVITE']);
  });
});

it('delivers an ACK without transaction to the user and never answers one', () => {
  const stage = new Stage();
  stage.receive(requestText({ method: 'ACK', to: '<sip:x@y>;tag=1' }));
  stage.receive(requestText({ method: 'ACK', cseq: 'broken', to: '<sip:x@y>;tag=1' }));
  expect(stage.acks).toHaveLength(1);
  expect(stage.sent).toHaveLength(0);
});
