import { describe, expect, it } from 'vitest';
import { Acknowledgement } from '#appliance/call/control/signalling/acknowledgement.ts';
import { DialogNextHop, type FindFlow, onItsFlow } from '#appliance/call/control/signalling/next-hop.ts';
import { Reconnection } from '#appliance/call/control/signalling/reconnection.ts';
import type { Flow, Outgoing } from '#appliance/sip/endpoint/index.ts';
import { fail, ok } from '#shared/result.ts';
import { tcp, udp } from '#test/appliance/sip/endpoint/stage.ts';

const to = (uri: string, routes: readonly string[] = []): Outgoing => ({
  method: 'BYE',
  uri,
  headers: routes.map((route): [string, string] => ['Route', `<${route};lr>`]),
});
const placeOf = ({ transport, remoteAddress, remotePort, connection }: Flow): string =>
  `${transport} ${remoteAddress}:${remotePort}${connection === 0 ? '' : ` by ${connection}`}`;
const stream = (connection: number, remoteAddress = udp.remoteAddress): Flow => ({
  ...tcp,
  remoteAddress,
  connection,
});

/** Look-ups that wait until the test answers them, in their order. */
function lookups() {
  const asked: string[] = [];
  const waiting: Parameters<FindFlow>[1][] = [];
  const find: FindFlow = (uri, found) => {
    asked.push(uri);
    waiting.push(found);
  };
  const answer = (flow: Flow | undefined): void =>
    waiting.shift()?.(flow === undefined ? fail('NotFound', 'no such name') : ok(flow));
  return { asked, find, answer };
}

describe('the next hop of requests within a dialog', () => {
  it.each([
    ['an address of the peer', udp, to('sip:anna@198.51.100.7:5070'), 'UDP 198.51.100.7:5070'],
    ['the usual port of an address', udp, to('sip:anna@198.51.100.7'), 'UDP 198.51.100.7:5060'],
    ['the first Route', udp, to('sip:anna@198.51.100.7', ['sip:198.51.100.9:5080']), 'UDP 198.51.100.9:5080'],
    ['maddr', udp, to('sip:anna@198.51.100.7;maddr=198.51.100.8'), 'UDP 198.51.100.8:5060'],
    ['where it was found: another family', udp, to('sip:anna@[2001:db8::7]'), 'UDP 192.0.2.1:5060'],
    [
      'where it was found: another transport',
      udp,
      to('sip:anna@198.51.100.7;transport=tcp'),
      'UDP 192.0.2.1:5060',
    ],
    ['where it was found: sips', udp, to('sips:anna@198.51.100.7'), 'UDP 192.0.2.1:5060'],
    ['its connection', tcp, to('sip:anna@198.51.100.7'), 'TCP 192.0.2.1:40000 by 7'],
  ])('is %s', (_name, flow, outgoing, place) => {
    const hops: string[] = [];
    new DialogNextHop(flow, undefined).take(outgoing, (hop) => hops.push(placeOf(hop.flow)));
    expect(hops).toEqual([place]);
  });

  it('is the connection that our long INVITE has opened, for a peer there that names TCP', () => {
    const nextHop = new DialogNextHop(udp, undefined);
    nextHop.streamed(stream(9));
    const hops: string[] = [];
    for (const host of ['192.0.2.1', '198.51.100.7'])
      nextHop.take(to(`sip:anna@${host};transport=tcp`), (hop) => hops.push(placeOf(hop.flow)));
    expect(hops).toEqual(['TCP 192.0.2.1:40000 by 9', 'UDP 192.0.2.1:5060']);
  });

  it('is looked up once for a name, and requests behind it keep their order', () => {
    const { asked, find, answer } = lookups();
    const nextHop = new DialogNextHop(udp, find);
    const hops: string[] = [];
    const send = (uri: string): void =>
      nextHop.take(to(uri), ({ flow }) => hops.push(`${uri} ${placeOf(flow)}`));
    send('sip:anna@phone.example');
    send('sip:anna@198.51.100.7');
    send('sip:anna@phone.example');
    expect(hops).toEqual([]);
    answer({ ...udp, remoteAddress: '198.51.100.3' });
    expect(hops).toEqual([
      'sip:anna@phone.example UDP 198.51.100.3:5060',
      'sip:anna@198.51.100.7 UDP 198.51.100.7:5060',
      'sip:anna@phone.example UDP 198.51.100.3:5060',
    ]);
    expect(asked).toEqual(['sip:phone.example']);
  });

  it('is the flow of before for a name that leads nowhere, which is looked up again by the next request', () => {
    const { asked, find, answer } = lookups();
    const nextHop = new DialogNextHop(udp, find);
    const hops: (string | undefined)[] = [];
    for (let round = 0; round < 2; round++) {
      nextHop.take(to('sip:anna@phone.example:5070;transport=udp'), ({ flow, lost }) =>
        hops.push(placeOf(flow), lost),
      );
      answer(undefined);
    }
    const name = 'sip:phone.example:5070;transport=udp';
    expect(hops).toEqual(
      Array(2)
        .fill(['UDP 192.0.2.1:5060', `${name}: no such name`])
        .flat(),
    );
    expect(asked).toEqual([name, name]);
  });
});

describe('a request on the flow of its peer', () => {
  it.each([
    ['names the end of the flow', 'sip:anna@192.0.2.1', undefined],
    ['names another port, as behind NAT', 'sip:anna@192.0.2.1:5070', true],
    ['names another address, as behind NAT', 'sip:anna@10.0.0.5', true],
  ])('that %s', (_name, uri, pinned) => expect(onItsFlow(to(uri), udp).pinned).toBe(pinned));
});

describe('a dialog that has lost its connection', () => {
  const lost = (others: readonly Flow[] = [], uri = 'sip:anna@192.0.2.1') => ({
    flow: stream(1),
    outgoing: to(uri),
    nextHop: undefined,
    others,
  });

  function rig() {
    const { asked, find, answer } = lookups();
    const found: (number | undefined)[] = [];
    const reconnection = new Reconnection(find);
    const seek = (what: Parameters<Reconnection['seek']>[0], nowMs = 10_000): void =>
      reconnection.seek(what, nowMs, (next) => found.push(next?.connection));
    return { asked, answer, found, seek };
  }

  it('goes on by another connection of its peer, the likeliest first', () => {
    const { found, seek, asked } = rig();
    seek(lost([stream(2), stream(3)]));
    expect([found, asked]).toEqual([[2], []]);
  });

  it('passes over connections that were lost before', () => {
    const { found, seek } = rig();
    seek({ ...lost([stream(2), stream(3)]) });
    seek({ ...lost([stream(1), stream(3)]), flow: stream(2) });
    expect(found).toEqual([2, 3]);
  });

  it('opens one to the address that the peer names, once for all who wait', () => {
    const { found, seek, asked, answer } = rig();
    seek(lost());
    seek(lost());
    expect(found).toEqual([]);
    answer(stream(5));
    expect([found, asked]).toEqual([[5, 5], ['sip:192.0.2.1']]);
  });

  it('has none where the Contact names another host, as behind NAT', () => {
    const { found, seek, asked } = rig();
    seek(lost([], 'sip:anna@10.0.0.5'));
    expect([found, asked]).toEqual([[undefined], []]);
  });

  it('tries a peer that breaks its connections again after four seconds, and no sooner', () => {
    const { found, seek, asked, answer } = rig();
    seek(lost(), 10_000);
    answer(undefined);
    seek(lost(), 13_999);
    expect([found, asked.length]).toEqual([[undefined, undefined], 1]);
    seek(lost(), 14_000);
    answer(stream(6));
    expect([found.at(-1), asked.length]).toEqual([6, 2]);
  });
});

describe('the ACK of a 2xx', () => {
  function rig(next: Flow | undefined) {
    let nowMs = 0;
    const done: string[] = [];
    const ack = new Acknowledgement({
      nowMs: () => nowMs,
      send: (_ack, { connection }) => done.push(`send by ${connection}`),
      seek: (_lost, _ack, found) => found(next),
      stranded: (reason) => done.push(reason.slice(0, 'the ACK was not sent'.length)),
      repeatedMs: 32_000,
    });
    return { ack, done, at: (ms: number) => (nowMs = ms) };
  }

  it.each([
    { of: 'whose connection ends goes by another', next: stream(2), after: ['send by 2'] },
    {
      of: 'whose connection ends and has no other is reported',
      next: undefined,
      after: ['the ACK was not sent'],
    },
  ])('$of', ({ next, after }) => {
    const { ack, done } = rig(next);
    ack.send(to('sip:anna@192.0.2.1'), stream(1));
    ack.connectionLost(stream(1));
    // The same end once more.
    ack.connectionLost(stream(1));
    expect(done).toEqual(['send by 1', ...after]);
  });

  it('is sent again by a third connection when the second one ends, too', () => {
    const { ack, done } = rig(stream(2));
    ack.send(to('sip:anna@192.0.2.1'), stream(1));
    ack.connectionLost(stream(1));
    ack.connectionLost(stream(2));
    expect(done).toEqual(['send by 1', 'send by 2', 'send by 2']);
  });

  it.each([
    ['went by UDP', udp, udp, 0],
    ['went by another connection', stream(1), stream(3), 0],
    ['is older than the repetitions of the 2xx', stream(1), stream(1), 32_001],
  ])('that %s is left alone', (_name, flow, missing, atMs) => {
    const { ack, done, at } = rig(stream(2));
    ack.send(to('sip:anna@192.0.2.1'), flow);
    at(atMs);
    ack.connectionLost(missing);
    expect(done).toEqual([`send by ${flow.connection}`]);
  });
});
