import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ALARM_POLICY } from '#appliance/call/control/index.ts';
import { openTelephone } from '#appliance/simulator/io/open-telephone.ts';
import { openFolderAuthority } from '#test/support/installation/folder-authority.ts';
import { freePorts } from '#test/support/site-port.ts';
import { type ProxySetting, startProxy } from './support/kamailio-proxy.ts';
import { DOMAIN, type PeerSite, phone, startPeerSite } from './support/peer-site.ts';
import { received, runSipp } from './support/sipp.ts';
import { untilListening } from './support/sipp-pair.ts';
import {
  ack,
  answers,
  called,
  demand,
  hangsUp,
  hear,
  hop,
  invite,
  isLeft,
  kept,
  reply,
  type Step,
  scenario,
  settle,
  take,
  trying,
} from './support/sipp-scenario.ts';

const PASSWORD = 'correct-horse';
const PROXY = '127.0.0.7';
const PHONE = '127.0.0.9';
const SECOND = '127.0.0.10';
const WITHIN_S = 40;
const WAIT = { timeout: 60_000 };

const folder = mkdtempSync(join(tmpdir(), 'carillon-fork-'));
let site: PeerSite;
let phonePort: number;
let secondPort: number;
/** A proxy whose calls come to us over TLS. */
let inwardPort: number;
const proxies: Awaited<ReturnType<typeof startProxy>>[] = [];

beforeAll(async () => {
  [phonePort = 0] = await freePorts(PHONE, 1);
  [secondPort = 0] = await freePorts(SECOND, 1);
  const [secure = 0, stranger = 0, fork = 0, mutual = 0, closed = 0] = await freePorts(PROXY, 5);
  [inwardPort = 0] = await freePorts('127.0.0.1', 1);
  const authority = await openFolderAuthority(folder, Date.now());
  const callee = `sip:${PHONE}:${phonePort}`;
  const certified = (name: string) => authority.issueServer([name], Date.now());
  const start = async (setting: Omit<ProxySetting, 'host' | 'callee'> & Partial<ProxySetting>) =>
    void proxies.push(await startProxy({ host: PROXY, callee, ...setting }));
  const others = await openFolderAuthority(join(folder, 'others'), Date.now());
  await start({ port: secure, secure: await certified(PROXY) });
  await start({ port: stranger, secure: await certified('other.test') });
  const own = await certified(PROXY);
  await start({ port: mutual, secure: { ...own, clients: authority.ca } });
  await start({ port: closed, secure: { ...own, clients: others.ca } });
  await start({ port: fork, second: `sip:${SECOND}:${secondPort}` });
  const trunk = { ipAllowList: [`${PROXY}/32`] };
  const over = (port: number, how = '') => [{ uri: `sip:${PROXY}:${port}${how}` }];
  site = await startPeerSite({
    authority,
    devices: [phone('anna', PASSWORD), phone('bo', PASSWORD)],
    trunks: [
      { id: 'secure', hosts: over(secure, ';transport=tls'), numberPrefix: '+46', ...trunk },
      { id: 'stranger', hosts: over(stranger, ';transport=tls'), numberPrefix: '+47', ...trunk },
      { id: 'mutual', hosts: over(mutual, ';transport=tls'), numberPrefix: '+49', ...trunk },
      { id: 'closed', hosts: over(closed, ';transport=tls'), numberPrefix: '+33', ...trunk },
      { id: 'inward', hosts: over(closed), numberPrefix: '+34', ipAllowList: ['127.0.0.1/32'] },
      { id: 'fork', hosts: over(fork), numberPrefix: '+48', ...trunk },
    ],
  });
  await start({
    ...{ host: '127.0.0.1', port: inwardPort },
    callee: `sip:127.0.0.1:${site.appliance.ready.tls};transport=tls`,
    secure: { ...(await certified('127.0.0.1')), clients: authority.ca },
  });
});
afterAll(async () => {
  await site?.close();
  for (const proxy of proxies) await proxy.stop();
  rmSync(folder, { recursive: true, force: true });
});

interface Callee {
  readonly at: string;
  readonly port: number;
  readonly steps: readonly Step[];
}

/** A call of a telephone of ours to a number behind a proxy; what each telephone there received. */
async function calls(number: string, caller: readonly Step[], ...callees: readonly Callee[]) {
  const common = {
    domain: DOMAIN,
    withinS: WITHIN_S,
    transport: 'udp' as const,
    port: site.appliance.ready.udp,
  };
  const listening = callees.map(({ at, port, steps }) =>
    runSipp({ ...common, scenario: scenario('callee', steps), from: at, fromPort: port, calls: [['-']] }),
  );
  for (const { port } of callees) await untilListening('udp', port);
  const calling = await runSipp({
    ...common,
    scenario: scenario('caller', caller),
    flags: ['-auth_uri', `${number}@${DOMAIN}`],
    calls: [['anna', number, `[authentication username=anna password=${PASSWORD}]`]],
  });
  const outcomes = [calling, ...(await Promise.all(listening))];
  expect(outcomes.map(({ errors }) => errors)).toEqual(outcomes.map(() => ''));
  expect(outcomes.map(({ code }) => code)).toEqual(outcomes.map(() => 0));
  await expect.poll(async () => (await site.appliance.ask('report')).legs, WAIT).toBe(0);
  return outcomes.slice(1).map(({ messages }) => received(messages));
}

const proves: readonly Step[] = [
  invite(),
  trying,
  hear(401, { auth: true }),
  hop('ACK'),
  invite({ sdp: true, headers: ['[field2]'] }, 2),
  trying,
];
const talks: readonly Step[] = [...proves, hear(180, { optional: true }), hear(200), ack(2)];
const first = (steps: readonly Step[]): Callee => ({ at: PHONE, port: phonePort, steps });

describe('Kamailio reached over TLS', () => {
  it('carries the call, and its route is followed from TLS to UDP', async () => {
    const [received = []] = await calls(
      '+46855510',
      [...talks, ...hangsUp(3)],
      first([...answers, ...isLeft]),
    );
    expect(received.map((text) => text.split(' ')[0])).toEqual(['INVITE', 'ACK', 'BYE']);
    for (const text of received) expect(text).toMatch(/Via: SIP\/2\.0\/TLS 127\.0\.0\.1/);
    // It writes itself into the route twice: once for each side.
    expect(received[0]?.match(/^Record-Route:/gm)?.length).toBe(2);
  });

  it('brings back what the other side ends', async () => {
    await calls('+46855510', [...talks, ...isLeft], first([...answers, demand('BYE', 1), hear(200)]));
  });

  it('gets no call when its certificate names another host', async () => {
    await calls('+47855510', [...proves, hear(500), hop('ACK', 2)]);
  });
});

describe('Kamailio that demands certificates', () => {
  it('is shown ours, which the platform has signed, and carries the call', async () => {
    const [received = []] = await calls(
      '+49855510',
      [...talks, ...hangsUp(3)],
      first([...answers, ...isLeft]),
    );
    expect(received.map((text) => text.split(' ')[0])).toEqual(['INVITE', 'ACK', 'BYE']);
  });

  it('gets no call when it trusts another authority', async () => {
    await calls('+33855510', [...proves, hear(500), hop('ACK', 2)]);
  });

  it('brings a call in over TLS, having checked ours', async () => {
    const bo = await openTelephone({
      to: `127.0.0.1:${site.appliance.ready.udp}`,
      ...{ transport: 'udp', domain: DOMAIN, user: 'bo', password: PASSWORD },
      policy: { ...ALARM_POLICY, srtp: 'never' },
    });
    try {
      expect(await bo.telephone.register(600)).toMatchObject({ ok: true });
      const lines: string[] = [];
      bo.telephone.takeCallsBy(() => ({
        answered: () => lines.push('answered'),
        mediaEvent: () => undefined,
        ended: (_, reason) => lines.push(reason),
      }));
      const { code, errors, messages } = await runSipp({
        ...{ domain: DOMAIN, withinS: WITHIN_S, transport: 'udp', port: inwardPort },
        scenario: scenario('caller', [
          invite(),
          trying,
          hear(180, { optional: true }),
          hear(200),
          ack(),
          ...hangsUp(2),
        ]),
        calls: [['+46700', 'bo']],
      });
      expect({ code, errors }).toEqual({ code: 0, errors: '' });
      // The way back leads over TLS as well.
      expect(messages).toMatch(/Record-Route:.*transport=tls/);
      await expect.poll(() => lines, WAIT).toHaveLength(2);
    } finally {
      await bo.close();
    }
  });
});

describe('Kamailio that rings two telephones', () => {
  const loses: readonly Step[] = [
    called(),
    reply(180, { tag: 'second' }),
    take('CANCEL'),
    settle(200),
    reply(487, { kept: true, tag: 'second' }),
    take('ACK'),
  ];

  it('joins us with the one that answers and silences the other', async () => {
    const [, received = []] = await calls(
      '+48855510',
      [
        ...proves,
        hear(180, { optional: true }),
        hear(180, { optional: true }),
        hear(200),
        ack(2),
        ...hangsUp(3),
      ],
      first([...answers, ...isLeft]),
      { at: SECOND, port: secondPort, steps: loses },
    );
    expect(received.map((text) => text.split(' ')[0])).toEqual(['INVITE', 'CANCEL', 'ACK']);
  });

  it('silences both when we give up', async () => {
    const cancelledLate: readonly Step[] = [
      called(kept),
      reply(180),
      take('CANCEL'),
      settle(200),
      reply(487, { kept: true }),
      take('ACK'),
    ];
    await calls(
      '+48855510',
      [
        ...proves,
        hear(180),
        hop('CANCEL', 2),
        hear(180, { optional: true }),
        hear(200),
        hear(487),
        hop('ACK', 2),
      ],
      first(cancelledLate),
      { at: SECOND, port: secondPort, steps: cancelledLate },
    );
  });
});
