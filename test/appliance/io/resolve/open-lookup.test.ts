import { afterEach, describe, expect, test } from 'vitest';
import { openLookup } from '#appliance/io/resolve/index.ts';
import { locate } from '#appliance/sip/location/index.ts';
import { isSip, parseUri } from '#appliance/sip/message/index.ts';
import { nameServer, type Zone } from './name-server.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function stage(records: Record<string, [number, ...string[]] | 'SERVFAIL' | 'silence'>) {
  const zone: Zone = new Map();
  const put = (key: string, record: (typeof records)[string]) =>
    zone.set(
      key,
      typeof record === 'string' ? record : { ttl: record[0], data: record.slice(1) as string[] },
    );
  for (const [key, record] of Object.entries(records)) put(key, record);
  const server = await nameServer(zone);
  closing.push(server.close);
  let nowMs = 0;
  const lookup = openLookup({
    monoMs: () => nowMs,
    servers: [server.address],
    timeoutMs: 100,
    tries: 1,
    system: false,
  });
  return {
    lookup,
    put,
    asked: server.asked,
    pass: (ms: number) => {
      nowMs += ms;
    },
  };
}

const value = (looked: Awaited<ReturnType<ReturnType<typeof openLookup>['addresses']>>) =>
  looked.ok ? looked.value : looked.error.code;

describe('the name service', () => {
  test('answers addresses, IPv4 first', async () => {
    const { lookup } = await stage({
      'A a.test': [60, '192.0.2.1', '192.0.2.2'],
      'AAAA a.test': [60, '2001:db8::1'],
    });
    expect(value(await lookup.addresses('a.test'))).toEqual(['192.0.2.1', '192.0.2.2', '2001:db8::1']);
  });

  test('answers SRV and NAPTR records', async () => {
    const { lookup } = await stage({
      'SRV _sip._udp.a.test': [60, '10 20 5070 host.a.test'],
      'NAPTR a.test': [60, '50 10 s SIP+D2U  _sip._udp.a.test'],
    });
    expect(await lookup.srv('_sip._udp.a.test')).toEqual({
      ok: true,
      value: [expect.objectContaining({ priority: 10, weight: 20, port: 5070, target: 'host.a.test' })],
    });
    const naptr = await lookup.naptr('a.test');
    expect(naptr.ok && naptr.value[0]).toMatchObject({
      order: 50,
      preference: 10,
      flags: 's',
      service: 'SIP+D2U',
      replacement: '_sip._udp.a.test',
    });
  });

  test('keeps "there is none" apart from "no answer"', async () => {
    const { lookup } = await stage({
      'A here.test': [60, '192.0.2.1'],
      'SRV broken.test': 'SERVFAIL',
      'A mute.test': 'silence',
      'AAAA mute.test': 'silence',
    });
    expect(await lookup.srv('here.test')).toEqual({ ok: true, value: [] });
    expect(await lookup.srv('nowhere.test')).toEqual({ ok: true, value: [] });
    expect(value(await lookup.addresses('nowhere.test'))).toEqual([]);
    expect((await lookup.srv('broken.test')).ok).toBe(false);
    expect(value(await lookup.addresses('mute.test'))).toBe('LookupFailed');
  });

  test('one family that fails does not spoil the other', async () => {
    const { lookup } = await stage({ 'A half.test': [60, '192.0.2.1'], 'AAAA half.test': 'SERVFAIL' });
    expect(value(await lookup.addresses('half.test'))).toEqual(['192.0.2.1']);
  });
});

describe('the cache', () => {
  test('keeps addresses for their time to live', async () => {
    const { lookup, put, asked, pass } = await stage({ 'A a.test': [30, '192.0.2.1'] });
    await lookup.addresses('a.test');
    put('A a.test', [30, '192.0.2.9']);
    const before = asked.length;
    pass(29_999);
    expect(value(await lookup.addresses('A.test'))).toEqual(['192.0.2.1']);
    expect(asked.length).toBe(before);
    pass(1);
    expect(value(await lookup.addresses('a.test'))).toEqual(['192.0.2.9']);
  });

  test('keeps "there is none" for half a minute and a failure for two seconds', async () => {
    const { lookup, put, pass } = await stage({
      'A here.test': [1, '192.0.2.1'],
      'SRV broken.test': 'SERVFAIL',
    });
    await lookup.srv('here.test');
    await lookup.srv('broken.test');
    put('SRV here.test', [60, '1 1 5060 x.test']);
    put('SRV broken.test', [60, '1 1 5060 x.test']);
    pass(1_999);
    expect((await lookup.srv('broken.test')).ok).toBe(false);
    pass(1);
    expect((await lookup.srv('broken.test')).ok).toBe(true);
    expect(await lookup.srv('here.test')).toEqual({ ok: true, value: [] });
    pass(28_000);
    expect((await lookup.srv('here.test')).ok && (await lookup.srv('here.test'))).toMatchObject({
      value: [{ port: 5060 }],
    });
  });

  test('asks once for many who ask at once', async () => {
    const { lookup, asked } = await stage({ 'SRV a.test': [60, '1 1 5060 x.test'] });
    await Promise.all(Array.from({ length: 50 }, () => lookup.srv('a.test')));
    expect(asked).toEqual(['SRV a.test']);
  });
});

test('a whole walk: NAPTR, SRV, A', async () => {
  const { lookup } = await stage({
    'NAPTR carrier.test': [60, '50 10 s SIP+D2T  _sip._tcp.carrier.test'],
    'SRV _sip._tcp.carrier.test': [60, '20 1 5060 backup.carrier.test', '10 1 5070 main.carrier.test'],
    'A main.carrier.test': [60, '192.0.2.1'],
    'A backup.carrier.test': [60, '192.0.2.2'],
  });
  const uri = parseUri('sip:carrier.test');
  if (!uri.ok || !isSip(uri.value)) throw new Error('no URI');
  const located = await locate(uri.value, lookup, () => 0);
  expect(located).toEqual({
    ok: true,
    value: [
      { transport: 'TCP', address: '192.0.2.1', port: 5070, domain: 'carrier.test' },
      { transport: 'TCP', address: '192.0.2.2', port: 5060, domain: 'carrier.test' },
    ],
  });
});
