import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ALARM_POLICY } from '#appliance/runtime/call/index.ts';
import { openTelephone } from '#appliance/simulator/io/open-telephone.ts';
import type { Line } from '#appliance/simulator/telephone.ts';
import { DOMAIN, phone, startPeerSite } from './support/peer-site.ts';

const PASSWORD = 'correct-horse';
const WAIT = { timeout: 30_000 };

it('linphone registers, is called, presses a key and is hung up on', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'carillon-linphone-'));
  const site = await startPeerSite({ devices: ['ours', 'linphone'].map((name) => phone(name, PASSWORD)) });
  const { udp } = site.appliance.ready;
  const ours = await openTelephone({
    to: `127.0.0.1:${udp}`,
    transport: 'udp',
    domain: DOMAIN,
    user: 'ours',
    password: PASSWORD,
    policy: { ...ALARM_POLICY, srtp: 'never' },
  });
  mkdirSync(join(folder, '.local/share/linphone'), { recursive: true });
  writeFileSync(join(folder, 'linphonerc'), configOf(udp));
  const linphone = spawn('linphonec', ['-a', '-c', join(folder, 'linphonerc')], {
    env: { ...process.env, HOME: folder },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [linphone.stdout, linphone.stderr])
    stream.on('data', (bytes: Buffer) => {
      said += bytes.toString();
    });
  const gone = once(linphone, 'exit');
  const say = (line: string) => linphone.stdin.write(`${line}\n`);
  try {
    say('soundcard use files');
    await expect.poll(async () => (await site.appliance.ask('report')).registrations, WAIT).toBe(1);
    const digits: string[] = [];
    let line: Line | undefined;
    let packets = false;
    let over: string | undefined;
    ours.telephone.call('linphone', {
      answered: (on) => {
        line = on;
        void ours.media.listen(on.name, { profile: 'ivr', digits: true, tones: [] });
      },
      heard: (_, event) => {
        if (event.kind === 'digit' && event.edge === 'end') digits.push(`${event.digit} ${event.source}`);
        if (event.kind === 'rtpStarted') packets = true;
      },
      ended: (_, reason) => {
        over = reason;
      },
    });
    await expect.poll(() => said, WAIT).toMatch(/connected|answered/i);
    await expect.poll(() => packets, WAIT).toBe(true);
    say('5');
    await expect.poll(() => digits, WAIT).toEqual(['5 rfc4733']);
    line?.hangUp();
    await expect.poll(() => over, WAIT).toBeDefined();
    await expect.poll(() => said, WAIT).toMatch(/ended|released/i);
  } catch (cause) {
    throw new Error(`${String(cause)}\nlinphone said: ${said}`);
  } finally {
    linphone.kill('SIGKILL');
    await gone;
    await ours.close();
    await site.close();
    rmSync(folder, { recursive: true, force: true });
  }
});

const configOf = (port: number): string =>
  [
    '[sip]',
    'sip_port=-1',
    'sip_tcp_port=0',
    'default_proxy=0',
    '[auth_info_0]',
    'username=linphone',
    `passwd=${PASSWORD}`,
    `realm=${DOMAIN}`,
    `domain=${DOMAIN}`,
    '[proxy_0]',
    `reg_proxy=<sip:127.0.0.1:${port};transport=udp>`,
    `reg_route=<sip:127.0.0.1:${port};transport=udp;lr>`,
    `reg_identity=sip:linphone@${DOMAIN}`,
    'reg_expires=600',
    'reg_sendregister=1',
    '',
  ].join('\n');
