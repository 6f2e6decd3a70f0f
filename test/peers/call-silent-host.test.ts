import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ALARM_POLICY } from '#appliance/call/control/index.ts';
import { type OpenTelephone, openTelephone } from '#appliance/simulator/io/open-telephone.ts';
import { freePorts } from '#test/support/site-port.ts';
import { DOMAIN, type PeerSite, phone, startPeerSite } from './support/peer-site.ts';

const PASSWORD = 'correct-horse';
const HOST = '127.0.0.7';
const WAIT = { timeout: 60_000 };
/** RFC 3261 17.1.1.2: 64 x T1. */
const TIMER_B_MS = 32_000;

/** A host of a trunk that speaks SIP as this test says, over a bare socket. */
class Host {
  readonly socket: Socket = createSocket('udp4');
  /** Methods in the order they came. */
  readonly received: string[] = [];
  /** Status that a method is answered with; 0: nothing. */
  answers: (method: string) => number = () => 0;

  async open(port: number): Promise<void> {
    this.socket.on('message', (bytes, from) => {
      const text = bytes.toString('latin1');
      const method = text.slice(0, text.indexOf(' '));
      this.received.push(method);
      const status = this.answers(method);
      if (status === 0) return;
      const kept = text.split('\r\n').filter((line) => /^(Via|From|To|Call-ID|CSeq):/i.test(line));
      const fields = kept.map((line) =>
        /^To:/i.test(line) && !line.includes('tag=') ? `${line};tag=h` : line,
      );
      const answer = [`SIP/2.0 ${status} Said`, ...fields, 'Content-Length: 0', '', ''].join('\r\n');
      this.socket.send(answer, from.port, from.address);
    });
    this.socket.bind(port, HOST);
    await once(this.socket, 'listening');
  }

  count(method: string): number {
    return this.received.filter((each) => each === method).length;
  }
}

const silent = new Host();
const alive = new Host();
let site: PeerSite;
let caller: OpenTelephone;

beforeAll(async () => {
  const [first = 0, second = 0] = await freePorts(HOST, 2);
  await silent.open(first);
  await alive.open(second);
  alive.answers = (method) => (method === 'INVITE' ? 486 : method === 'OPTIONS' ? 200 : 0);
  site = await startPeerSite({
    devices: [phone('anna', PASSWORD)],
    trunks: [
      {
        id: 'two hosts',
        hosts: [
          { uri: `sip:${HOST}:${first}`, priority: 1 },
          { uri: `sip:${HOST}:${second}`, priority: 2 },
        ],
        numberPrefix: '+46',
        ipAllowList: [`${HOST}/32`],
        optionsInterval: 5_000,
      },
    ],
  });
  caller = await openTelephone({
    to: `127.0.0.1:${site.appliance.ready.udp}`,
    transport: 'udp',
    domain: DOMAIN,
    user: 'anna',
    password: PASSWORD,
    policy: { ...ALARM_POLICY, srtp: 'never' },
  });
});
afterAll(async () => {
  await caller?.close();
  await site?.close();
  silent.socket.close();
  alive.socket.close();
});

/** How a call to a number ends, and how long that took, ms. */
async function calls(): Promise<{ readonly reason: string; readonly tookMs: number }> {
  const from = performance.now();
  const reason = await new Promise<string>((resolve) => {
    caller.telephone.call('+46855510', { answered: () => undefined, ended: (_, why) => resolve(why) });
  });
  return { reason, tookMs: performance.now() - from };
}

async function platformAlarms(): Promise<string[]> {
  const types: string[] = [];
  for (const { path, body } of await site.application.ask('take'))
    if (path.startsWith('/platform-alarm')) types.push(String((JSON.parse(body) as { type?: unknown }).type));
  return types;
}

// The socket takes every datagram and says nothing: no ICMP says that no telephone is there.
it('a host that is silent is given up after timer B, goes out of the set, and comes back', async () => {
  const first = await calls();
  expect(first.reason).toContain('486');
  expect(first.tookMs).toBeGreaterThan(TIMER_B_MS - 1_000);
  expect(first.tookMs).toBeLessThan(2 * TIMER_B_MS);
  // Timer A: at 0, 0.5, 1.5, 3.5, 7.5, 15.5 and, unless the machine is late, 31.5 s.
  const tries = silent.count('INVITE');
  expect([6, 7]).toContain(tries);
  expect(alive.count('INVITE')).toBe(1);

  // OPTIONS found it out meanwhile: the next call does not even try it.
  const alarms: string[] = [];
  await expect
    .poll(async () => alarms.push(...(await platformAlarms())) && alarms, WAIT)
    .toContain('destinationDown');
  const second = await calls();
  expect(second.reason).toContain('486');
  expect(second.tookMs).toBeLessThan(TIMER_B_MS / 2);
  expect(silent.count('INVITE')).toBe(tries);

  // It answers again, and is the first choice again.
  silent.answers = (method) => (method === 'INVITE' ? 603 : method === 'OPTIONS' ? 200 : 0);
  await expect
    .poll(async () => alarms.push(...(await platformAlarms())) && alarms, WAIT)
    .toContain('destinationUp');
  expect((await calls()).reason).toContain('603');
  expect((await site.appliance.ask('report')).counts.defects).toBe(0);
});
