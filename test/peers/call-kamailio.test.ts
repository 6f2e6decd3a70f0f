import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePorts } from '#test/support/site-port.ts';
import { startProxy } from './support/kamailio-proxy.ts';
import { DOMAIN, type PeerSite, phone, startPeerSite } from './support/peer-site.ts';
import { received } from './support/sipp.ts';
import { runPair } from './support/sipp-pair.ts';
import {
  ack,
  answers,
  demand,
  hangsUp,
  hear,
  hop,
  invite,
  isLeft,
  type Step,
  scenario,
  trying,
} from './support/sipp-scenario.ts';

const PASSWORD = 'correct-horse';
const PROXY = '127.0.0.7';
const PHONE = '127.0.0.9';
const WITHIN_S = 40;
const WAIT = { timeout: 60_000 };

let site: PeerSite;
let phonePort: number;
let proxies: readonly Awaited<ReturnType<typeof startProxy>>[] = [];

beforeAll(async () => {
  [phonePort = 0] = await freePorts(PHONE, 1);
  const [plain = 0, lossy = 0, dead = 0] = await freePorts(PROXY, 3);
  const callee = `sip:${PHONE}:${phonePort}`;
  proxies = [
    await startProxy({ host: PROXY, port: plain, callee }),
    await startProxy({ host: PROXY, port: lossy, callee, lossy: true }),
  ];
  const trunk = { ipAllowList: [`${PROXY}/32`] };
  const alive = { uri: `sip:${PROXY}:${plain}`, priority: 2 };
  site = await startPeerSite({
    devices: [phone('anna', PASSWORD)],
    trunks: [
      { id: 'plain', hosts: [alive], numberPrefix: '+46', ...trunk },
      { id: 'lossy', hosts: [{ uri: `sip:${PROXY}:${lossy}` }], numberPrefix: '+47', ...trunk },
      {
        id: 'two hosts',
        // No telephone is registered.
        hosts: [{ uri: `sip:${PROXY}:${dead};transport=tcp`, priority: 1 }, alive],
        numberPrefix: '+48',
        optionsInterval: 5_000,
        ...trunk,
      },
    ],
  });
});
afterAll(async () => {
  await site?.close();
  for (const proxy of proxies) await proxy.stop();
});

/** A call of a telephone of ours to a number behind the proxy. */
async function calls(number: string, caller: readonly Step[], callee: readonly Step[]) {
  const common = {
    domain: DOMAIN,
    withinS: WITHIN_S,
    transport: 'udp' as const,
    port: site.appliance.ready.udp,
  };
  const outcome = await runPair(
    { ...common, scenario: scenario('callee', callee), from: PHONE, fromPort: phonePort, calls: [['-']] },
    {
      ...common,
      scenario: scenario('caller', caller),
      flags: ['-auth_uri', `${number}@${DOMAIN}`],
      calls: [['anna', number, `[authentication username=anna password=${PASSWORD}]`]],
    },
  );
  expect({ caller: outcome.caller.errors, callee: outcome.callee.errors }).toEqual({
    caller: '',
    callee: '',
  });
  expect([outcome.caller.code, outcome.callee.code]).toEqual([0, 0]);
  await expect.poll(async () => (await site.appliance.ask('report')).legs, WAIT).toBe(0);
  return received(outcome.callee.messages);
}

const talks: readonly Step[] = [
  invite(),
  trying,
  hear(401, { auth: true }),
  hop('ACK'),
  invite({ sdp: true, headers: ['[field2]'] }, 2),
  trying,
  hear(180, { optional: true }),
  hear(200),
  ack(2),
];

describe('Kamailio between us and a telephone', () => {
  it('stays in the route of the call, and we follow it', async () => {
    const received = await calls('+46855510', [...talks, ...hangsUp(3)], [...answers, ...isLeft]);
    expect(received.map((text) => text.split(' ')[0])).toEqual(['INVITE', 'ACK', 'BYE']);
    // Everything came through the proxy: its Via is on top of ours.
    for (const text of received)
      expect(text).toMatch(new RegExp(`Via: SIP/2.0/UDP ${PROXY}[\\s\\S]*Via: SIP/2.0/UDP 127.0.0.1`));
  });

  it('brings the requests of the other side', async () => {
    await calls(
      '+46855510',
      [...talks, ...isLeft],
      [...answers, demand('OPTIONS', 1), hear(200), demand('BYE', 2), hear(200)],
    );
  });

  it('loses one message of three, and the call is made and ended', async () => {
    await calls('+47855510', [...talks, ...hangsUp(3)], [...answers, ...isLeft]);
    expect(proxies[1]?.lost()).toBeGreaterThan(1);
  });

  it('is the second host of a trunk whose first one is dead, and a platform alarm reports that', async () => {
    await calls('+48855510', [...talks, ...hangsUp(3)], [...answers, ...isLeft]);
    const alarmTypes: string[] = [];
    await expect
      .poll(async () => {
        for (const { path, body } of await site.application.ask('take'))
          if (path.startsWith('/platform-alarm'))
            alarmTypes.push(String((JSON.parse(body) as { type?: unknown }).type));
        return alarmTypes;
      }, WAIT)
      .toEqual(['destinationDown']);
    expect((await site.appliance.ask('report')).counts.defects).toBe(0);
  });
});
