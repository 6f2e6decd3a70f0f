import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ALARM_POLICY } from '#appliance/call/control/index.ts';
import type { Line, LineUser } from '#appliance/simulator/endpoint/telephone.ts';
import { type OpenTelephone, openTelephone } from '#appliance/simulator/io/open-telephone.ts';
import { linphoneConfig } from './people/support/linphone.ts';
import { DOMAIN, type PeerSite, phone, startPeerSite } from './support/peer-site.ts';

const PASSWORD = 'correct-horse';
const WAIT = { timeout: 60_000 };

let folder: string;
let site: PeerSite;
let ours: OpenTelephone;
let third: OpenTelephone;
let linphone: ChildProcessByStdio<Writable, Readable, Readable>;
let said = '';

const say = (line: string): unknown => linphone.stdin.write(`${line}\n`);

/** The call as one of our telephones hears and sees it. */
function listener(by: OpenTelephone) {
  const seen = {
    digits: [] as string[],
    packets: false,
    over: undefined as string | undefined,
    line: undefined as Line | undefined,
  };
  const user: LineUser = {
    answered: (on) => {
      seen.line = on;
      void by.media.listen(on.name, { profile: 'ivr', digits: true, tones: [] });
    },
    mediaEvent: (_, event) => {
      if (event.kind === 'digit' && event.edge === 'end') seen.digits.push(`${event.digit} ${event.source}`);
      if (event.kind === 'rtpStarted') seen.packets = true;
    },
    ended: (_, reason) => {
      seen.over = reason;
    },
  };
  return { seen, user };
}

describe.each(['udp', 'tls'] as const)('linphone over %s', (transport) => {
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'carillon-linphone-'));
    const names = ['ours', 'third', 'linphone'];
    const sealed = transport === 'tls' ? { srtp: 'alwaysWithTLS' } : {};
    site = await startPeerSite({
      devices: names.map((name) => ({ ...phone(name, PASSWORD), ...(name === 'linphone' && sealed) })),
    });
    const { udp } = site.appliance.ready;
    said = '';
    const open = (user: string) =>
      openTelephone({
        to: `127.0.0.1:${udp}`,
        transport: 'udp',
        domain: DOMAIN,
        user,
        password: PASSWORD,
        policy: { ...ALARM_POLICY, srtp: 'never' },
      });
    ours = await open('ours');
    third = await open('third');
    mkdirSync(join(folder, '.local/share/linphone'), { recursive: true });
    const trust = join(folder, 'ca.pem');
    writeFileSync(trust, site.ca);
    writeFileSync(
      join(folder, 'linphonerc'),
      linphoneConfig({ transport, port: site.appliance.ready[transport] ?? 0, trust, password: PASSWORD }),
    );
    linphone = spawn('linphonec', ['-a', '-c', join(folder, 'linphonerc')], {
      env: { ...process.env, HOME: folder },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    for (const stream of [linphone.stdout, linphone.stderr])
      stream.on('data', (bytes: Buffer) => {
        said += bytes.toString();
      });
    // It finds no sound card here; from then on it needs none.
    say('soundcard use files');
  });
  afterAll(async () => {
    const exited = linphone && once(linphone, 'exit');
    linphone?.kill('SIGKILL');
    await exited;
    await ours?.close();
    await third?.close();
    await site?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Its own words beside what was expected of them. */
  async function withItsWords(work: () => Promise<void>): Promise<void> {
    said = '';
    await work().catch((cause: unknown) => {
      throw new Error(`${String(cause)}\nlinphone said: ${said}`);
    });
  }

  it('linphone is called, presses a key and is hung up on', () =>
    withItsWords(async () => {
      await expect.poll(async () => (await site.appliance.ask('report')).registrations, WAIT).toBe(1);
      const { seen, user } = listener(ours);
      ours.telephone.call('linphone', user);
      await expect.poll(() => said, WAIT).toMatch(/connected|answered/i);
      await expect.poll(() => seen.packets, WAIT).toBe(true);
      say('5');
      await expect.poll(() => seen.digits, WAIT).toEqual(['5 rfc4733']);
      seen.line?.hangUp();
      await expect.poll(() => seen.over, WAIT).toBeDefined();
      await expect.poll(() => said, WAIT).toMatch(/ended|released/i);
    }));

  it('linphone calls, presses a key, holds and comes back, and gives the call to a third', () =>
    withItsWords(async () => {
      const [here, there] = [listener(ours), listener(third)];
      let caller = '';
      ours.telephone.takeCallsBy(() => here.user);
      third.telephone.takeCallsBy((from) => {
        caller = from;
        return there.user;
      });
      expect((await ours.telephone.register(600)).ok && (await third.telephone.register(600)).ok).toBe(true);

      say(`call sip:ours@${DOMAIN}`);
      await expect.poll(() => here.seen.packets, WAIT).toBe(true);
      say('7');
      await expect.poll(() => here.seen.digits, WAIT).toEqual(['7 rfc4733']);

      const id = /id (\d+)/.exec(said)?.[1] ?? '1';
      say('pause');
      await expect.poll(() => said, WAIT).toMatch(/paused/i);
      say(`resume ${id}`);
      await expect.poll(() => said, WAIT).toMatch(/resum/i);
      say('8');
      await expect.poll(() => here.seen.digits, WAIT).toEqual(['7 rfc4733', '8 rfc4733']);

      say(`transfer ${id} sip:third@${DOMAIN}`);
      await expect.poll(() => there.seen.line, WAIT).toBeDefined();
      expect(caller).toBe('ours');
      const line = here.seen.line?.name ?? '';
      await ours.media.sendDigits(line, 'test', { digits: '4', mode: 'auto', onMs: 120, offMs: 80 });
      await expect.poll(() => there.seen.digits, WAIT).toEqual(['4 rfc4733']);
      there.seen.line?.hangUp();
      await expect.poll(() => here.seen.over, WAIT).toBeDefined();
      await expect.poll(async () => (await site.appliance.ask('report')).legs, WAIT).toBe(0);
      expect((await site.appliance.ask('report')).counts.defects).toBe(0);
    }));
});
