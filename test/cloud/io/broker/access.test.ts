import { describe, expect, it } from 'vitest';
import { type Act, type Party, refusalOf } from '#cloud/io/broker/index.ts';
import { PacketMeter } from '#shared/mqtt/index.ts';

const place = { sh: '2a', tenant: '01jt', siteId: 'north', uid: '01ju' };
const host: Party = { kind: 'host', place };
const owner: Party = { kind: 'owner', sh: '2a' };
const own = 'carillon/1/2a/01jt/north/01ju';

const publish = (topic: string, retain = false, qos = 1): Act => ({ kind: 'publish', topic, qos, retain });
const subscribe = (filter: string, qos = 1): Act => ({ kind: 'subscribe', filter, qos });
const receive = (topic: string): Act => ({ kind: 'receive', topic });

describe('access', () => {
  it.each<[Party, Act]>([
    [host, publish(`${own}/up/state`, true)],
    [host, publish(`${own}/up/hb`, false, 0)],
    [host, publish(`${own}/up/ev/alarm`)],
    [host, publish(`${own}/up/rec`)],
    [host, subscribe(`${own}/dn/+`)],
    [host, subscribe(`${own}/dn/twin`)],
    [host, subscribe(`${own}/up/state`)],
    [host, subscribe('carillon/1/2a/cp/state')],
    [host, receive(`${own}/dn/twin`)],
    [host, receive('carillon/1/2a/cp/state')],
    [owner, publish('carillon/1/2a/cp/state', true)],
    [owner, publish(`${own}/dn/twin`, true)],
    [owner, publish(`${own}/up/state`, true)],
    [owner, subscribe('carillon/1/2a/+/+/+/up/#')],
    [owner, receive(`${own}/up/ev/alarm`)],
    [owner, receive(`${own}/up/rec`)],
  ])('%j may %j', (party, act) => {
    expect(refusalOf(party, act)).toBeUndefined();
  });

  it.each<[Party, Act]>([
    [host, publish(`${own}/up/hb`, true)],
    [host, publish(`${own}/up/hb`, false, 2)],
    [host, publish(`${own}/dn/twin`, true)],
    [host, publish(`${own}/up`)],
    [host, publish(`${own}/up/`)],
    [host, publish('carillon/1/2a/01jt/north/other/up/hb')],
    [host, publish('carillon/1/2a/other/north/01ju/up/hb')],
    [host, publish('carillon/1/2b/01jt/north/01ju/up/hb')],
    [host, publish('carillon/1/2a/cp/state', true)],
    [host, publish('$SYS/x')],
    [host, subscribe(`${own}/dn/+`, 2)],
    [host, subscribe(`${own}/dn/#`)],
    [host, subscribe(`${own}/#`)],
    [host, subscribe(`${own}/up/hb`)],
    [host, subscribe('#')],
    [host, subscribe('+/+/+/+/+/+/+/+')],
    [host, subscribe('carillon/1/2a/+/+/+/dn/+')],
    [host, subscribe('carillon/1/+/cp/state')],
    [host, subscribe('carillon/1/2b/cp/state')],
    [host, subscribe('$SYS/#')],
    [host, subscribe(`$share/g/${own}/dn/+`)],
    [host, receive('carillon/1/2a/01jt/north/other/dn/twin')],
    [owner, publish('carillon/1/2b/01jt/north/01ju/dn/twin', true)],
    [owner, publish(`${own}/up/hb`)],
    [owner, subscribe('carillon/1/+/+/+/+/up/#')],
    [owner, subscribe('#')],
  ])('%j may not %j', (party, act) => {
    expect(refusalOf(party, act)).toBeTypeOf('string');
  });
});

describe('packet meter', () => {
  const packet = (type: number, length: number): Uint8Array => {
    const head = [type << 4];
    for (let rest = length; ; ) {
      const digit = rest % 128;
      rest = Math.floor(rest / 128);
      head.push(rest > 0 ? digit | 0x80 : digit);
      if (rest === 0) break;
    }
    return Uint8Array.from([...head, ...new Uint8Array(length).fill(0xff)]);
  };

  it('counts PUBLISH packets wherever the chunks are cut', () => {
    const stream = Buffer.concat([
      packet(1, 40),
      packet(3, 0),
      packet(3, 127),
      packet(12, 0),
      packet(3, 20_000),
    ]);
    for (const size of [1, 2, 7, 1000, stream.length]) {
      const meter = new PacketMeter();
      let seen = 0;
      for (let at = 0; at < stream.length; at += size) {
        const taken = meter.take(stream.subarray(at, at + size));
        if ('fault' in taken) throw new Error(taken.fault);
        seen += taken.publishes;
      }
      expect(seen).toBe(3);
    }
  });

  it('lets 72 KiB through and nothing longer, before the body has come', () => {
    expect(new PacketMeter().take(packet(3, 73_728))).toEqual({ publishes: 1 });
    expect(new PacketMeter().take(packet(3, 73_729).subarray(0, 4))).toHaveProperty('fault');
    expect(new PacketMeter().take(Uint8Array.from([0x30, 0xff, 0xff, 0xff, 0xff]))).toHaveProperty('fault');
    expect(new PacketMeter().take(Uint8Array.from([0x30, 0x80, 0x80, 0x80, 0x80, 1]))).toHaveProperty(
      'fault',
    );
  });
});
