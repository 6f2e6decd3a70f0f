import { describe, expect, it } from 'vitest';
import { requestText, Stage, tcp, udp } from './stage.ts';

const ok = { status: 200 };

describe('a request over UDP', () => {
  it('is delivered once, and its retransmissions get the kept response until timer J', () => {
    const stage = new Stage();
    stage.receive(requestText());
    stage.receive(requestText());
    expect(stage.delivered).toHaveLength(1);
    expect(stage.sent).toHaveLength(0);
    const server = stage.delivered[0]?.server;
    expect(server?.respond(ok, stage.nowMs)).toBe(true);
    expect(server?.request).toBeUndefined();
    stage.receive(requestText());
    stage.pass(31_999);
    stage.receive(requestText());
    expect(stage.statuses()).toEqual([200, 200, 200]);
    expect(new Set(stage.sent.map(({ bytes }) => bytes.toString())).size).toBe(1);
    stage.pass(1);
    expect(stage.endpoint.serverCount).toBe(0);
    expect(stage.endpoint.nextDueMs()).toBeUndefined();
    stage.receive(requestText());
    expect(stage.delivered).toHaveLength(2);
  });

  it('is answered where its repeat came from: another port, another address, a connection', () => {
    const elsewhere = [{ ...udp, remotePort: 61_000 }, { ...udp, remoteAddress: '192.0.2.77' }, tcp];
    for (const [number, flow] of elsewhere.entries()) {
      const stage = new Stage();
      const again = requestText({ callId: `call-${number}` });
      stage.receive(again);
      stage.receive(again, flow);
      stage.delivered[0]?.server.respond(ok, stage.nowMs);
      stage.receive(again, flow);
      expect(stage.delivered).toHaveLength(1);
      expect(stage.sent.map(({ flow }) => flow)).toEqual([flow, flow]);
    }
  });

  it('gets the kept response where it comes from after the answer', () => {
    const stage = new Stage();
    stage.onDeliver = (_, server) => void server.respond(ok, stage.nowMs);
    stage.receive(requestText());
    stage.receive(requestText(), tcp);
    stage.receive(requestText());
    expect(stage.delivered).toHaveLength(1);
    expect(stage.sent.map(({ flow }) => flow.transport)).toEqual(['UDP', 'TCP', 'UDP']);
    expect(stage.statuses()).toEqual([200, 200, 200]);
  });

  it('fails with the connection of its repeat, not with the one it left', () => {
    const stage = new Stage();
    const second = { ...tcp, remotePort: 40_001, connection: 8 };
    stage.receive(requestText(), tcp);
    stage.delivered[0]?.server.respond({ status: 100 }, stage.nowMs);
    stage.receive(requestText(), second);
    stage.endpoint.transportFailed(tcp, stage.nowMs);
    stage.delivered[0]?.server.respond(ok, stage.nowMs);
    expect(stage.sent.map(({ flow }) => flow.connection)).toEqual([7, 8, 8]);
    stage.endpoint.transportFailed(second, stage.nowMs);
    expect([stage.endpoint.serverCount, stage.endpoint.nextDueMs()]).toEqual([0, undefined]);
    expect(stage.defects).toEqual([]);
  });

  it('is a new request when Call-ID, CSeq, From tag or sent-by differ under the same branch', () => {
    const stage = new Stage();
    stage.onDeliver = (_, server) => void server.respond(ok, stage.nowMs);
    stage.receive(requestText());
    stage.receive(requestText({ callId: 'call-2' }));
    stage.receive(requestText({ cseq: '2 MESSAGE' }));
    stage.receive(requestText({ from: '<sip:unit@tenant.example>;tag=f2' }));
    stage.receive(
      requestText({ callId: 'call-3', via: 'Via: SIP/2.0/UDP 192.0.2.3;branch=z9hG4bKone;rport' }),
    );
    expect(stage.delivered).toHaveLength(5);
    expect(stage.statuses()).toEqual([200, 200, 200, 200, 200]);
  });

  it('is matched by RFC 2543 where the branch has no magic cookie', () => {
    const stage = new Stage();
    const via = 'Via: SIP/2.0/UDP 192.0.2.1:5060';
    stage.onDeliver = (_, server) => void server.respond(ok, stage.nowMs);
    stage.receive(requestText({ via }));
    stage.receive(requestText({ via }));
    expect(stage.delivered).toHaveLength(1);
    stage.receive(requestText({ via, cseq: '2 MESSAGE' }));
    stage.receive(requestText({ via: `${via};branch=1`, callId: 'call-2' }));
    stage.receive(requestText({ via: `${via};branch=2`, callId: 'call-3' }));
    expect(stage.delivered).toHaveLength(4);
  });

  it('is answered 482 when it comes a second time on another path', () => {
    const stage = new Stage();
    stage.receive(requestText());
    stage.receive(requestText({ branch: 'z9hG4bKother' }));
    stage.receive(requestText({ branch: 'z9hG4bKother' }));
    expect(stage.delivered).toHaveLength(1);
    expect(stage.statuses()).toEqual([482, 482]);
    expect(stage.endpoint.counts.merged).toBe(1);
  });

  it('is no fork of a MESSAGE with another body, though the device repeats Call-ID, CSeq and tag', () => {
    const stage = new Stage();
    stage.onDeliver = (_, server) => void server.respond(ok, stage.nowMs);
    stage.receive(requestText({ body: 'fall in the hall' }));
    stage.receive(requestText({ branch: 'z9hG4bKtwo', body: 'fire in the hall' }));
    stage.receive(requestText({ branch: 'z9hG4bKthree', body: 'fire in the hall' }));
    expect(stage.delivered.map(({ request }) => request.body.toString())).toEqual([
      'fall in the hall',
      'fire in the hall',
    ]);
    expect(stage.statuses()).toEqual([200, 200, 482]);
  });

  it('is no repeat of a MESSAGE with another body, though it has its branch', () => {
    const stage = new Stage();
    stage.onDeliver = (_, server) => void server.respond(ok, stage.nowMs);
    stage.receive(requestText({ body: 'fall in the hall' }));
    stage.receive(requestText({ body: 'fire in the hall' }));
    stage.receive(requestText({ body: 'fire in the hall' }));
    expect(stage.delivered.map(({ request }) => request.body.toString())).toEqual([
      'fall in the hall',
      'fire in the hall',
    ]);
    expect(stage.statuses()).toEqual([200, 200, 200]);
  });

  it('is answered 482 by whatever path, and of paths that no proxy makes nothing is kept', () => {
    const stage = new Stage();
    stage.onDeliver = (_, server) => void server.respond(ok, stage.nowMs);
    for (let path = 0; path < 50; path++) stage.receive(requestText({ branch: `z9hG4bKpath${path}` }));
    expect(stage.delivered).toHaveLength(1);
    expect(stage.statuses()).toEqual([200, ...Array<number>(49).fill(482)]);
    expect(stage.endpoint.serverCount).toBe(32);
    for (const path of [0, 31, 49]) stage.receive(requestText({ branch: `z9hG4bKpath${path}` }));
    expect(stage.statuses().slice(50)).toEqual([200, 482, 482]);
    stage.pass(32_001);
    expect(stage.endpoint.serverCount).toBe(0);
    stage.receive(requestText({ branch: 'z9hG4bKpath7' }));
    expect(stage.delivered).toHaveLength(2);
  });

  describe('a request whose twin was only challenged', () => {
    const login = (name: string) => `Authorization: Digest username="${name}"`;
    /** A server that challenges each request until one brings the right name. */
    const asking = () => {
      const stage = new Stage();
      stage.onDeliver = (request, server) => {
        const known = request.header('Authorization')?.includes('right') === true;
        server.respond({ status: known ? 200 : 401 }, stage.nowMs);
      };
      return stage;
    };

    it('is taken with credentials under the same CSeq, and once only', () => {
      const stage = asking();
      stage.receive(requestText());
      stage.receive(requestText({ branch: 'z9hG4bKother', extra: [login('right')] }));
      stage.receive(requestText({ branch: 'z9hG4bKother', extra: [login('right')] }));
      stage.receive(requestText());
      stage.receive(requestText({ branch: 'z9hG4bKfork', extra: [login('right')] }));
      expect(stage.statuses()).toEqual([401, 200, 200, 401, 482]);
      expect(stage.delivered).toHaveLength(2);
    });

    it('is taken with credentials under the same branch, too', () => {
      const stage = asking();
      stage.receive(requestText());
      stage.receive(requestText({ extra: [login('right')] }));
      stage.receive(requestText({ extra: [login('right')] }));
      expect(stage.statuses()).toEqual([401, 200, 200]);
      expect(stage.delivered).toHaveLength(2);
      expect(stage.endpoint.serverCount).toBe(1);
    });

    it('is taken after an INVITE, and after a 407', () => {
      const stage = new Stage();
      const invite = { method: 'INVITE', cseq: '1 INVITE' };
      stage.onDeliver = (_, server) =>
        void server.respond({ status: stage.delivered.length === 1 ? 407 : 486 }, stage.nowMs);
      stage.receive(requestText(invite));
      stage.receive(requestText({ ...invite, branch: 'z9hG4bKother', extra: [`Proxy-${login('right')}`] }));
      expect(stage.statuses()).toEqual([407, 486]);
    });

    it('is challenged however often it answers wrongly, and then taken', () => {
      const stage = asking();
      for (let path = 0; path < 50; path++)
        stage.receive(requestText({ branch: `z9hG4bKpath${path}`, extra: [login(`wrong${path}`)] }));
      stage.receive(requestText({ branch: 'z9hG4bKlast', extra: [login('right')] }));
      expect(stage.statuses()).toEqual([...Array<number>(50).fill(401), 200]);
      expect(stage.endpoint.serverCount).toBe(32);
      stage.pass(32_001);
      expect(stage.endpoint.serverCount).toBe(0);
    });

    it('waits while the twin has no answer', () => {
      const stage = new Stage();
      stage.receive(requestText());
      stage.receive(requestText({ branch: 'z9hG4bKother', extra: [login('right')] }));
      expect(stage.statuses()).toEqual([482]);
    });
  });

  it('is answered where rport, a NAT or sent-by say', () => {
    const to = (via: string, flow = udp): string => {
      const stage = new Stage();
      stage.onDeliver = (_, server) => void server.respond(ok, stage.nowMs);
      stage.receive(requestText({ via }), flow);
      const { flow: reply, bytes } = stage.sent[0] ?? { flow: udp, bytes: Buffer.alloc(0) };
      return `${reply.remoteAddress}:${reply.remotePort} ${/^Via: (.*)\r$/m.exec(bytes.toString())?.[1]}`;
    };
    const high = { ...udp, remotePort: 6_666 };
    expect(to('Via: SIP/2.0/UDP 192.0.2.1;branch=z9hG4bK1;rport', high)).toBe(
      '192.0.2.1:6666 SIP/2.0/UDP 192.0.2.1;branch=z9hG4bK1;rport=6666;received=192.0.2.1',
    );
    expect(to('Via: SIP/2.0/UDP 192.0.2.1:5070;branch=z9hG4bK1', high)).toBe(
      '192.0.2.1:5070 SIP/2.0/UDP 192.0.2.1:5070;branch=z9hG4bK1',
    );
    expect(to('Via: SIP/2.0/UDP 10.0.0.7:5070;branch=z9hG4bK1;received=203.0.113.1', high)).toBe(
      '192.0.2.1:6666 SIP/2.0/UDP 10.0.0.7:5070;branch=z9hG4bK1;received=192.0.2.1',
    );
  });

  it('ends in silence, reported, when the transaction user never answers', () => {
    const stage = new Stage();
    stage.receive(requestText());
    stage.pass(32_000);
    expect(stage.sent).toHaveLength(0);
    expect(stage.defects).toHaveLength(1);
    expect(stage.endpoint.serverCount).toBe(0);
  });
});

it('keeps no transaction of a non-INVITE request over a stream once it is answered', () => {
  const stage = new Stage();
  stage.onDeliver = (_, server) => void server.respond(ok, stage.nowMs);
  stage.receive(requestText(), tcp);
  expect(stage.statuses()).toEqual([200]);
  expect(stage.endpoint.serverCount).toBe(0);
});

describe('one guarded entry', () => {
  it('turns an exception of the transaction user into 500 and goes on', () => {
    const stage = new Stage();
    stage.onDeliver = () => {
      throw new Error('planted');
    };
    stage.receive(requestText());
    expect(stage.statuses()).toEqual([500]);
    expect(stage.defects).toEqual(['answering MESSAGE: Error: planted']);
    stage.onDeliver = (_, server) => void server.respond(ok, stage.nowMs);
    stage.receive(requestText({ callId: 'next', branch: 'z9hG4bKnext' }));
    expect(stage.statuses()).toEqual([500, 200]);
  });

  it('refuses a value with a line end and still answers 500', () => {
    const stage = new Stage();
    stage.onDeliver = (_, server) =>
      void server.respond({ status: 200, headers: [['X', 'a\r\nb']] }, stage.nowMs);
    stage.receive(requestText());
    expect(stage.statuses()).toEqual([500]);
  });
});
