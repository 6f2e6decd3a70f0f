import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ALARM_POLICY } from '#appliance/call/control/index.ts';
import { openMedia } from '#appliance/io/media-worker/index.ts';
import { openWebRtc } from '#appliance/io/webrtc/index.ts';
import { writeWav } from '#appliance/media/recording/index.ts';
import { type OpenTelephone, openTelephone } from '#appliance/simulator/io/open-telephone.ts';
import { ha1Of } from '#appliance/sip/auth/index.ts';
import { sine } from '#test/appliance/io/prompt/sound.ts';
import { realAppliance } from '#test/support/real-appliance.ts';
import { hash } from '#test/support/sip-telephone.ts';
import { Baresip, receivedPitch } from './support/baresip.ts';
import { Ear } from './support/ear.ts';
import { runProgram } from './support/program.ts';

const DOMAIN = 'care.example';
const PASSWORD = 'correct-horse';
const [THEIRS, OURS] = [750, 440];
const WAIT = { timeout: 30_000 };

const folder = mkdtempSync(join(tmpdir(), 'carillon-tls-'));
const root = join(folder, 'root.pem');
const ends: (() => Promise<unknown> | unknown)[] = [];
let site: Awaited<ReturnType<typeof realAppliance>>;
let theirs: Baresip;
let ours: OpenTelephone;

beforeAll(async () => {
  const media = await openMedia({
    ports: { from: 27_000, to: 27_099 },
    workers: 1,
    tooLateMs: 500,
    log: () => undefined,
  });
  ends.push(() => media.close());
  const webrtc = openWebRtc({});
  ends.push(() => webrtc.end());
  site = await realAppliance({}, { media, webrtc });
  ends.push(() => site.close());
  writeFileSync(root, site.ca);
  for (const [deviceId, srtp] of [
    ['sealed', 'alwaysWithTLS'],
    ['ours', 'never'],
  ] as const) {
    // baresip knows MD5 only.
    const digest = { md5: ha1Of(hash, 'MD5', deviceId, DOMAIN, PASSWORD) };
    site.device({ deviceId, authType: 'credentials', digest, srtp });
  }
  const says = join(folder, 'says.wav');
  writeFileSync(says, writeWav([sine(THEIRS, 60, 8_000)]));
  const secure = { proxyPort: site.port('TLS'), transport: 'tls', ca: root, encrypted: true } as const;
  const who = { user: 'sealed', password: PASSWORD, domain: DOMAIN };
  theirs = await Baresip.start({ folder: join(folder, 'phone'), ...who, ...secure, codec: 'PCMA', says });
  ends.push(() => theirs.close());
  ours = await openTelephone({
    to: `127.0.0.1:${site.port('UDP')}`,
    ...{ transport: 'udp', domain: DOMAIN, user: 'ours', password: PASSWORD },
    policy: { ...ALARM_POLICY, srtp: 'never' },
  });
  ends.push(() => ours.close());
  expect(await ours.telephone.register(600)).toMatchObject({ ok: true });
});

afterAll(async () => {
  for (const end of ends.reverse()) await end();
  rmSync(folder, { recursive: true, force: true });
});

/** Serial number of the certificate that whoever connects now is shown; the chain is verified up to the root. */
async function shown(): Promise<string> {
  const to = ['-connect', `127.0.0.1:${site.port('TLS')}`, '-CAfile', root, '-verify_return_error'];
  const { code, stdout } = await runProgram('openssl', ['s_client', ...to, '-verify_ip', '127.0.0.1']);
  expect(code).toBe(0);
  const { stdout: serial } = await runProgram('openssl', ['x509', '-noout', '-serial'], { input: stdout });
  return serial.trim();
}

async function hearEachOther(ear: Ear): Promise<void> {
  await expect.poll(() => ear.hears, WAIT).toBe(true);
  await expect.poll(() => receivedPitch(theirs), WAIT).toBe(OURS);
}

describe('a certificate that is renewed during a call over TLS', () => {
  it('the call continues with its parties, and a new connection is shown the new one', async () => {
    const ear = new Ear(ours, THEIRS, OURS);
    ours.telephone.takeCallsBy(() => ear);
    theirs.say('dial', `sip:ours@${DOMAIN}`);
    await theirs.until('CALL_ESTABLISHED');
    await hearEachOther(ear);
    const before = await shown();
    await site.renew();
    expect(await shown()).not.toBe(before);
    const { length } = theirs.recorded();
    await expect.poll(() => theirs.recorded().length, WAIT).toBeGreaterThan(length + 8_000);
    expect(receivedPitch(theirs)).toBe(OURS);
    // Its requests and ours go over the connection of before.
    theirs.say('hold');
    await expect.poll(() => ear.silent, WAIT).toBe(true);
    theirs.say('resume');
    await expect.poll(() => ear.silent, WAIT).toBe(false);
    ear.line.hangUp();
    await theirs.until('CALL_CLOSED');
    await expect.poll(() => site.runtime.load.legs, WAIT).toBe(0);
    // It is called over it, too: its registration lives there.
    ear.begin();
    ours.telephone.call('sealed', ear);
    await theirs.until('CALL_ESTABLISHED');
    await expect.poll(() => ear.hears, WAIT).toBe(true);
    theirs.say('hangup');
    await expect.poll(() => ear.over, WAIT).toBeDefined();
    await expect.poll(() => site.runtime.load.legs, WAIT).toBe(0);
    expect(site.logged).toEqual([]);
    expect(site.events.filter(({ kind }) => kind === 'tlsReload')).toEqual([{ kind: 'tlsReload' }]);
  });
});
