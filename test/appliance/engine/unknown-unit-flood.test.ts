import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FrameReader } from '#appliance/alarm/protocol/framed-ip/index.ts';
import { encodeAtm } from '#appliance/alarm/protocol/nowip/index.ts';
import type { JournalWrite } from '#appliance/delivery/outbox/index.ts';
import { protocolProfileSchema } from '#shared/contract/provisioning/index.ts';
import { seeded } from '#test/campaign/campaign.ts';
import { answered, testAppliance } from '#test/support/appliance.ts';
import { siaFrame } from '#test/support/panel.ts';
import { telephones } from '#test/support/telephone.ts';

/*
 * Nothing a tenant writes grows faster than what was sent; nothing a stranger sends delays a known device. Strangers are units
 * that are not provisioned.
 */

let site: Awaited<ReturnType<typeof testAppliance>>;
let net: ReturnType<typeof telephones>;
/** References and accounts of the events that were committed, in their order. */
let committed: string[];
let commits: number;

beforeEach(async () => {
  site = await testAppliance();
  net = telephones(site);
  site.answerBy(() => answered({ action: 'drop' }));
  site.notify('https://app.example/alarms');
  site.device({ deviceId: 'known' });
  site.device({ deviceId: '5555' });
  const fieldPaths = { controllerId: 'id', eventCode: 'event', reference: 'ref' };
  const eventTable = { E1: { deviceType: 'fixedTrigger', statusCode: 'alarm', audio: 'duplex' } };
  const content = {
    enabled: true,
    requestRoot: 'lacs',
    fieldPaths,
    eventTable,
    reply: { template: '<ok/>' },
  };
  const row = { name: 'ours', kind: 'xml', extends: 'lacs', content };
  site.tenant.put('protocolprofile', 'ours', protocolProfileSchema.parse(row));
  for (const protocol of ['scaip', 'nowip', 'lacs'] as const)
    site.bridge({
      id: protocol,
      protocol,
      name: protocol,
      destinationMatch: `^${protocol}$`,
      ...(protocol === 'lacs' && { protocolProfile: 'ours' }),
    });
  site.bridge({ id: 'dc09', protocol: 'dc09', name: 'Panels', destinationMatch: '#' });
  committed = [];
  commits = 0;
  phones = new Map();
  site.refuseCommits((writes) => {
    commits++;
    committed.push(...writes.flatMap(unitIn));
    return false;
  });
});

afterEach(async () => {
  expect(site.logged.filter((line) => line.includes('defect'))).toEqual([]);
  await site.close();
});

const unitIn = (write: JournalWrite): string[] => {
  if (write.kind !== 'event') return [];
  const { event } = JSON.parse(write.row.body) as { readonly event: { readonly controllerId: string } };
  return [event.controllerId];
};

const BODY = {
  scaip: (unit: string, n: number) =>
    `<mrq><ref>R${n}</ref><cid>${unit}</cid><dty>0003</dty><stc>0010</stc></mrq>`,
  nowip: (_unit: string, n: number) =>
    encodeAtm({
      version: '1',
      type: '1',
      data: `0100${String(n).padStart(8, '0')}0001010000`.padEnd(24, '0'),
      time: '.',
      mac: '.',
    }),
  lacs: (unit: string, n: number) => `<lacs><ref>R${n}</ref><id>${unit}</id><event>E1</event></lacs>`,
} as const;
type Protocol = keyof typeof BODY;

let messages = 0;
let phones: Map<string, ReturnType<typeof net.stranger>>;
function says(protocol: Protocol, unit: string, address: string, n: number) {
  const from = phones.get(address) ?? net.stranger(unit, address);
  phones.set(address, from);
  from.send({
    method: 'MESSAGE',
    uri: `sip:${protocol}@care.example`,
    headers: [
      ['From', `<sip:${unit}@care.example>;tag=m`],
      ['To', `<sip:${protocol}@care.example>`],
      ['Call-ID', `flood-${++messages}`],
      ['CSeq', '1 MESSAGE'],
      ['Content-Type', 'application/xml'],
    ],
    body: Buffer.from(BODY[protocol](unit, n)),
  });
  return from;
}

function panelSays(account: string, address: string, frame = siaFrame('0001', 'NBA12', account)): string[] {
  const received: string[] = [];
  const [found] = new FrameReader().push(Buffer.from(frame));
  if (found?.kind !== 'frame') throw new Error('no frame');
  site.runtime.dc09.frame(found.frame, {
    id: `udp ${address} ${account}`,
    transport: 'udp',
    sourceIp: address,
    sourcePort: 40_000,
    send: (bytes) => received.push(Buffer.from(bytes).toString('latin1')),
  });
  return received;
}

const errors = () => site.posted.flatMap(({ body }) => (body.error === undefined ? [] : [body]));
const reported = () => site.posted.filter(({ call }) => call.path === '/newAlarmbridgeEvent').length;

const takeRefused = () =>
  [...phones.values()].flatMap((phone) => {
    const all: ReturnType<typeof phone.response>[] = [];
    while (phone.has(503)) all.push(phone.response(503, 'MESSAGE'));
    return all;
  });

describe.each(['scaip', 'nowip', 'lacs'] as const)('unknown units by %s', (protocol) => {
  it('unknown units are taken as far as their budget goes; further ones are asked to come again, and a person learns of all in one', async () => {
    for (let n = 0; n < 300; n++) says(protocol, `s${n}`, `203.0.113.${n % 250}`, n);
    await net.pump();
    const refused = takeRefused();
    expect(refused).toHaveLength(100);
    expect(refused[0]?.header('Retry-After')).toBe('30');
    expect(reported()).toBe(20);
    const known = says('scaip', 'known', '203.0.113.251', 1);
    await net.pump();
    expect(known.has(200)).toBe(true);
    expect(reported()).toBe(21);
    await net.after(15_000, 1_000);
    expect(reported()).toBe(201);
    const sums = errors().filter(({ error }) => error === 'unknownUnitFlood');
    expect(sums).toMatchObject([
      { errorDetails: { refused: 100, protocols: [protocol], networks: ['203.0.113.0/24'] } },
    ]);
    expect(site.logged.filter((line) => line.includes('unknown_unit.refused'))).toHaveLength(1);
  });
});

it('unknown panels get no answer beyond their budget, so that they go to their next receiver', async () => {
  const answers = Array.from({ length: 300 }, (_, n) => panelSays(String(1000 + n), '203.0.113.7'));
  const known = panelSays('5555', '203.0.113.7');
  await site.quiet();
  expect(known[0]).toContain('"ACK"');
  expect(committed).toHaveLength(21);
  await net.after(5_000);
  expect(answers.filter(({ length }) => length === 1)).toHaveLength(200);
});

it('a device that proves itself and a trunk are never unknown, however many units speak through them', async () => {
  net.trunk();
  for (let n = 0; n < 300; n++) says('scaip', `behind${n}`, '198.51.100.1', n);
  await net.pump();
  expect(reported()).toBe(300);
});

it('a known device overtakes the unknown ones that wait for the disk', async () => {
  const release = site.slowDisk();
  for (let n = 0; n < 150; n++) says('scaip', `s${n}`, '203.0.113.1', n);
  says('scaip', 'known', '203.0.113.1', 1);
  for (let turn = 0; turn < 50; turn++) await new Promise<void>((resolve) => setImmediate(resolve));
  await release();
  await net.pump();
  await net.after(5_000);
  expect(committed).toHaveLength(151);
  // Those that were on their way when it came.
  expect(committed.indexOf('known')).toBeLessThanOrEqual(8);
});

it('unregistered names are reported a hundred times, and counted then', async () => {
  for (let n = 0; n < 300; n++) panelSays(String(n), '203.0.113.7', siaFrame('0001', 'NBA12', `${n}`));
  await net.after(5_000);
  site.tenant.remove('alarmbridge', 'dc09');
  for (let n = 1_000; n < 1_300; n++) panelSays(String(n), '203.0.113.7');
  await site.quiet();
  await site.after(15_000);
  const [sum] = errors().filter(({ error }) => error === 'unknownUnitFlood');
  const unreported = Number((sum?.errorDetails as Record<string, number> | undefined)?.untold ?? 0);
  const reports = site.posted.filter(
    ({ body }) => body.type === 'unknownDevice' || body.error === 'noReceiver',
  );
  expect(reports.length).toBeLessThanOrEqual(100 + 20);
  expect(reports.length + unreported).toBe(200 + 300);
});

it('a unit beyond the budget leaves nothing behind: no row, no transaction', async () => {
  for (let n = 0; n < 200; n++) says('scaip', `s${n}`, '203.0.113.1', n);
  await net.pump();
  await net.after(40_000, 5_000);
  const [rows, { transactions }] = [commits, site.runtime.load];
  for (let n = 0; n < 1_000; n++) says('scaip', `t${n}`, `203.0.113.${n % 250}`, n);
  await net.pump();
  const refused = takeRefused().length;
  // The budget has grown back a little meanwhile.
  expect(refused).toBeGreaterThanOrEqual(950);
  expect(commits - rows).toBeLessThanOrEqual(10 * (1_000 - refused));
  expect(site.runtime.load.transactions - transactions).toBeLessThanOrEqual(3 * (1_000 - refused));
});

it.each([1, 2, 3])(
  'each known alarm is reported at once, whatever unknown units send (seed %i)',
  async (seed) => {
    const random = seeded(seed);
    const protocols = ['scaip', 'nowip', 'lacs'] as const;
    let sent = 0;
    for (let step = 0; step < 12; step++) {
      const crowd = Math.floor(random() * 120);
      for (let n = 0; n < crowd; n++) {
        const address = `10.${Math.floor(random() * 4)}.0.${Math.floor(random() * 250)}`;
        const kind = protocols[Math.floor(random() * 4)];
        if (kind === undefined) panelSays(String(3_000 + sent), address);
        else says(kind, `s${sent}`, address, sent);
        sent++;
      }
      const before = committed.filter((unit) => unit === 'known').length;
      const unit = says('scaip', 'known', `10.0.0.${251 + (step % 4)}`, 100_000 + step);
      const beganMs = site.clock.monoMs();
      await net.pump();
      expect(unit.has(200)).toBe(true);
      expect(committed.filter((one) => one === 'known')).toHaveLength(before + 1);
      expect(site.clock.monoMs()).toBe(beganMs);
      await net.after(Math.floor(random() * 3_000), 1_000);
    }
    expect(committed.filter((one) => one === 'known')).toHaveLength(12);
    expect(committed.length - 12).toBeLessThanOrEqual(400 + 5 * 36);
  },
);
