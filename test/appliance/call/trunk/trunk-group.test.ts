import { afterEach, describe, expect, test } from 'vitest';
import { parseAuthField } from '#appliance/sip/auth/auth-field.ts';
import type { SipRequest } from '#appliance/sip/message/index.ts';
import { writeResponse } from '#appliance/sip/message/index.ts';
import { replicatedTrunkSchema } from '#shared/contract/provisioning/index.ts';
import { testAppliance } from '#test/support/appliance.ts';

const open: { close: () => Promise<void> }[] = [];
afterEach(async () => {
  for (const appliance of open.splice(0)) await appliance.close();
});

async function stage() {
  const appliance = await testAppliance();
  open.push(appliance);
  appliance.network.addresses.set('carrier.test', ['198.51.100.1']);
  appliance.network.addresses.set('backup.test', ['198.51.100.2']);
  const trunk = (id: string, fields: Record<string, unknown>) => {
    const body = replicatedTrunkSchema.parse({ id, name: id, optionsInterval: 0, ...fields });
    appliance.tenant.put('trunk', id, body);
    return body;
  };
  /** Requests of ours since the last look, with the flow they left by. */
  const asked = () => {
    const flows = appliance.sent.map(({ flow }) => flow);
    return appliance
      .take()
      .flatMap((message, i) =>
        message.kind === 'request' ? [{ message, flow: flows[i] as (typeof flows)[number] }] : [],
      );
  };
  const answer = (
    { message, flow }: { message: SipRequest; flow: Parameters<typeof appliance.runtime.message>[0] },
    status: number,
    fields: [string, string][] = [],
  ) => {
    const headers = ['Via', 'From', 'To', 'Call-ID', 'CSeq'].map((name): [string, string] => [
      name,
      message.header(name) ?? '',
    ]);
    appliance.runtime.message(flow, writeResponse({ status, reason: 'x', headers: [...headers, ...fields] }));
  };
  const alarms = async () => {
    await appliance.quiet();
    return appliance.logged
      .filter((line) => line.includes('platform_alarm.issued'))
      .map((line) => {
        const { type, destination } = JSON.parse(line.slice(line.indexOf('{'))) as Record<string, string>;
        return `${type} ${destination}`;
      });
  };
  /** As the loop does: a look every few milliseconds, which also finds a configuration that changed. */
  const pass = async (ms: number) => {
    appliance.runtime.advance();
    await appliance.quiet();
    await appliance.after(ms);
  };
  return { ...appliance, pass, trunk, asked, answer, alarms };
}

const HOSTS = [
  { uri: 'sip:carrier.test', priority: 1 },
  { uri: 'sip:backup.test', priority: 2 },
];

describe('a call to a number', () => {
  test('has its targets in order, with a transport to each', async () => {
    const { runtime, trunk, network } = await stage();
    trunk('out', {
      hosts: HOSTS,
      trunkGroupId: 'north',
      strip: 3,
      prepend: '0',
      username: 'u',
      password: 'p',
    });
    const targets = runtime.trunks.outbound('+46 8 123', 'north');
    const hosts = targets.filter(({ uri }, i) => targets.findIndex((each) => each.uri === uri) === i);
    expect(hosts.map(({ uri, login }) => [uri, login])).toEqual([
      ['sip:08123@carrier.test', { username: 'u', password: 'p' }],
      ['sip:08123@backup.test', { username: 'u', password: 'p' }],
    ]);
    expect(runtime.trunks.outbound('+468123', undefined)).toEqual([]);
    const hops = await targets[0]?.nextHops();
    expect(hops?.ok && hops.value.map(({ hop }) => hop)).toEqual([
      { transport: 'UDP', address: '198.51.100.1', port: 5060, domain: 'carrier.test' },
    ]);
    // The trunk says UDP: no DNS query for a transport is needed.
    expect(network.asked).not.toContain('NAPTR carrier.test');
  });

  test('goes to the next host after a failure, which for half a minute is tried last', async () => {
    const { runtime, trunk, pass } = await stage();
    trunk('out', { hosts: HOSTS });
    const uris = () => [...new Set(runtime.trunks.outbound('112', undefined).map(({ host }) => host.uri))];
    const [first] = runtime.trunks.outbound('112', undefined);
    if (first === undefined) throw new Error('no target');
    expect(runtime.trunks.report(first, { kind: 'answered', status: 486 })).toBe(false);
    expect(uris()).toEqual(['sip:carrier.test', 'sip:backup.test']);
    expect(runtime.trunks.report(first, { kind: 'timeout' })).toBe(true);
    expect(uris()).toEqual(['sip:backup.test', 'sip:carrier.test']);
    await pass(29_999);
    expect(uris()).toEqual(['sip:backup.test', 'sip:carrier.test']);
    await pass(2);
    expect(uris()).toEqual(['sip:carrier.test', 'sip:backup.test']);
  });
});

describe('a host that is served at several places', () => {
  async function served() {
    const made = await stage();
    made.network.srv.set('_sip._udp.carrier.test', [
      { priority: 1, weight: 1, port: 5061, target: 'backup.test' },
      { priority: 2, weight: 1, port: 5062, target: 'backup.test' },
    ]);
    return made;
  }

  test('is tried at the next place before the next host, and no further than there are', async () => {
    const { runtime, trunk } = await served();
    trunk('out', { hosts: [...HOSTS.slice(0, 1), { uri: 'sip:198.51.100.9', priority: 2 }] });
    const ports: string[] = [];
    for (const target of runtime.trunks.outbound('112', undefined)) {
      const hops = await target.nextHops();
      const [first] = hops.ok ? hops.value : [];
      ports.push(first === undefined ? 'none' : `${first.hop.address}:${first.hop.port}`);
    }
    expect(ports).toEqual(['198.51.100.2:5061', '198.51.100.2:5062', 'none', '198.51.100.9:5060']);
  });

  test('is up when one of them answers', async () => {
    const { trunk, asked, answer, pass, runtime } = await served();
    trunk('out', { hosts: HOSTS.slice(0, 1), optionsInterval: 60_000 });
    await pass(10);
    expect(asked().map(({ flow }) => flow.remotePort)).toEqual([5061]);
    await pass(8_000 + 5_000);
    const second = asked().find(({ flow }) => flow.remotePort === 5062);
    if (second !== undefined) answer(second, 200);
    expect(runtime.trunks.hosts[0]?.standing).toBe('up');
  });
});

describe('supervision', () => {
  test('asks every host, reports once when it falls silent and once when it is back', async () => {
    const { trunk, asked, answer, pass, alarms, runtime } = await stage();
    trunk('out', { hosts: HOSTS.slice(0, 1), optionsInterval: 60_000 });
    await pass(10);
    const [probe] = asked();
    expect(probe?.message.method).toBe('OPTIONS');
    expect(probe?.message.uriText).toBe('sip:carrier.test');
    if (probe !== undefined) answer(probe, 405);
    expect(runtime.trunks.hosts).toMatchObject([{ trunkId: 'out', standing: 'up', registered: false }]);

    await pass(60_000 + 3 * 8_000 + 2 * 5_000);
    expect(await alarms()).toEqual(['destinationDown sip:carrier.test']);
    expect(runtime.trunks.hosts[0]?.standing).toBe('down');
    asked();
    await pass(60_000);
    const [again] = asked().reverse();
    if (again !== undefined) answer(again, 200);
    expect(await alarms()).toEqual(['destinationDown sip:carrier.test', 'destinationUp sip:carrier.test']);
  });

  test('a host that cannot be reached at all is down, too', async () => {
    const { trunk, network, pass, alarms } = await stage();
    network.closed.add('198.51.100.1:5061');
    trunk('out', { hosts: [{ uri: 'sips:carrier.test' }], transport: 'tls', optionsInterval: 60_000 });
    await pass(15_000);
    expect(await alarms()).toEqual(['destinationDown sips:carrier.test']);
  });

  test('a trunk that was removed is left alone', async () => {
    const { trunk, tenant, asked, pass, runtime } = await stage();
    trunk('out', { hosts: HOSTS, optionsInterval: 5_000 });
    await pass(10);
    expect(asked()).toHaveLength(2);
    tenant.remove('trunk', 'out');
    // A request sent before goes on until its transaction ends; nothing new begins.
    await pass(60_000);
    expect(new Set(asked().map(({ message }) => message.header('CSeq')))).toEqual(new Set(['1 OPTIONS']));
    expect(runtime.trunks.hosts).toEqual([]);
  });

  test('a trunk that changed is taken up again, others notice nothing', async () => {
    const { trunk, asked, answer, pass } = await stage();
    trunk('a', { hosts: HOSTS.slice(0, 1), optionsInterval: 60_000 });
    trunk('b', { hosts: HOSTS.slice(1), optionsInterval: 60_000 });
    await pass(10);
    for (const probe of asked()) answer(probe, 200);
    trunk('a', { hosts: HOSTS.slice(0, 1), optionsInterval: 30_000 });
    await pass(10);
    expect(asked().map(({ message }) => message.uriText)).toEqual(['sip:carrier.test']);
  });
});

describe('registration', () => {
  const REGISTERING = { hosts: HOSTS.slice(0, 1), register: true, username: 'office', password: 'secret' };
  const CHALLENGE: [string, string][] = [
    ['WWW-Authenticate', 'Digest realm="carrier", nonce="n1", algorithm=SHA-256, qop="auth"'],
  ];

  test('answers the challenge, refreshes before its end, and what comes from there is the trunk', async () => {
    const { trunk, asked, answer, pass, runtime } = await stage();
    trunk('reg', REGISTERING);
    await pass(10);
    const [first] = asked();
    expect(first?.message.method).toBe('REGISTER');
    expect(first?.message.uriText).toBe('sip:carrier.test');
    expect(first?.message.header('To')).toBe('<sip:office@carrier.test>');
    expect(first?.message.header('Contact')).toBe('<sip:office@192.0.2.10:5060>');
    if (first !== undefined) answer(first, 401, CHALLENGE);
    await pass(10);
    const [second] = asked();
    const proof = parseAuthField(second?.message.header('Authorization') ?? '');
    expect(proof.ok && Object.fromEntries(proof.value.parameters)).toMatchObject({
      username: 'office',
      realm: 'carrier',
      uri: 'sip:carrier.test',
      algorithm: 'SHA-256',
    });
    expect(second?.message.callId).toBe(first?.message.callId);
    expect(second?.message.cseq.seq).toBe(2);
    if (second !== undefined) answer(second, 200, [['Contact', '<sip:office@192.0.2.10:5060>;expires=600']]);
    expect(runtime.trunks.hosts).toMatchObject([{ registered: true }]);
    expect(runtime.trunks.identify({ address: '198.51.100.1' })?.trunkId).toBe('reg');
    expect(runtime.trunks.identify({ address: '198.51.100.2' })).toBeUndefined();
    await pass(539_000);
    expect(asked()).toEqual([]);
    await pass(1_100);
    expect(asked()).toHaveLength(1);
  });

  test('with a wrong password reports it once', async () => {
    const { trunk, asked, answer, pass, alarms } = await stage();
    trunk('reg', REGISTERING);
    for (let round = 0; round < 3; round++) {
      await pass(round === 0 ? 10 : 130_000);
      for (let tries = 0; tries < 2; tries++) {
        const [request] = asked().reverse();
        if (request !== undefined) answer(request, 401, CHALLENGE);
        await pass(10);
      }
    }
    expect(await alarms()).toEqual(['destinationDown sip:carrier.test']);
  });

  test('is the leader’s: another host of the site asks nothing, and takes over and gives back as it leads', async () => {
    const { trunk, asked, answer, pass, runtime } = await stage();
    runtime.trunks.registers = false;
    trunk('reg', REGISTERING);
    await pass(4_000_000);
    expect(asked()).toEqual([]);
    runtime.trunks.registers = true;
    await pass(10);
    const [first] = asked();
    expect(first?.message.header('Expires')).toBe('3600');
    if (first !== undefined) answer(first, 200, [['Contact', '<sip:office@192.0.2.10:5060>;expires=600']]);
    expect(runtime.trunks.hosts).toMatchObject([{ registered: true }]);
    runtime.trunks.registers = false;
    await pass(10);
    const [given] = asked();
    expect(given?.message.header('Expires')).toBe('0');
    expect(runtime.trunks.hosts).toMatchObject([{ registered: false }]);
    // It leads again before the carrier has answered: that answer is not about the new request.
    runtime.trunks.registers = true;
    await pass(10);
    const [again] = asked();
    expect(again?.message.header('Expires')).toBe('3600');
    expect(again?.message.cseq.seq).toBeGreaterThan(given?.message.cseq.seq ?? 0);
    if (given !== undefined) answer(given, 200);
    if (again !== undefined) answer(again, 200, [['Contact', '<sip:office@192.0.2.10:5060>;expires=600']]);
    await pass(10);
    expect(runtime.trunks.hosts).toMatchObject([{ registered: true }]);
    await pass(540_100);
    expect(asked()).toHaveLength(1);
  });

  test('that was refused is no alarm of a host that does not lead any more', async () => {
    const { trunk, asked, answer, pass, alarms, runtime } = await stage();
    trunk('reg', REGISTERING);
    await pass(10);
    for (const request of asked()) answer(request, 403);
    expect(await alarms()).toEqual(['destinationDown sip:carrier.test']);
    runtime.trunks.registers = false;
    await pass(3_600_000);
    expect(asked()).toEqual([]);
    expect(await alarms()).toEqual(['destinationDown sip:carrier.test', 'destinationUp sip:carrier.test']);
  });

  test('is given back when the trunk goes', async () => {
    const { trunk, tenant, asked, answer, pass } = await stage();
    trunk('reg', REGISTERING);
    await pass(10);
    for (const request of asked()) answer(request, 200);
    tenant.remove('trunk', 'reg');
    await pass(10);
    const [last] = asked();
    expect(last?.message.header('Expires')).toBe('0');
    if (last !== undefined) answer(last, 200);
    await pass(3_600_000);
    expect(asked()).toEqual([]);
  });
});

describe('an inbound request', () => {
  test('is of the trunk whose key it shows', async () => {
    const { runtime, trunk } = await stage();
    trunk('in', { direction: 'in', trunkKey: 'k', terminatingTrunkGroupId: 'g' });
    expect(runtime.trunks.identify({ address: '10.0.0.1', groupId: 'g', key: 'k' })).toEqual({
      domain: 'care.example',
      trunkId: 'in',
    });
    expect(runtime.trunks.identify({ address: '10.0.0.1', groupId: 'g', key: 'K' })).toBeUndefined();
  });
});
