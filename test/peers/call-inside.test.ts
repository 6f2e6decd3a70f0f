import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openMedia } from '#appliance/io/media-worker/index.ts';
import { openWebRtc } from '#appliance/io/webrtc/index.ts';
import { writeWav } from '#appliance/media/recording/index.ts';
import { ha1Of } from '#appliance/sip/auth/index.ts';
import { replicatedMediaServiceSchema } from '#shared/contract/provisioning/index.ts';
import { sine } from '#test/appliance/io/prompt/sound.ts';
import { application } from '#test/support/application.ts';
import { realAppliance } from '#test/support/real-appliance.ts';
import { hash } from '#test/support/sip-telephone.ts';
import { Baresip, receivedPitch } from './support/baresip.ts';

/*
 * A media service that calls another one of the same host: two telephones, each a process of its own, with two services and a
 * line without a wire between them. All sockets and all audio are real; only the application is the test's.
 *
 *   baresip anna ─ UDP ─▶ service `first` ─ inside ─▶ service `second` ─ UDP ─▶ baresip bo
 *           RTP ◀──────▶ leg ◀▶ leg ◀─ 127.0.0.1 ─▶ leg ◀▶ leg ◀──────────────▶ RTP
 */
const DOMAIN = 'care.example';
const PASSWORD = 'correct-horse';
const WAIT = { timeout: 30_000 };
/** Tone of each party, Hz. */
const [ANNA, BO] = [750, 440];

let folder: string;
let site: Awaited<ReturnType<typeof realAppliance>>;
let app: ReturnType<typeof application>;
let anna: Baresip;
let bo: Baresip;
const ends: (() => Promise<unknown> | unknown)[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'carillon-inside-'));
  const media = await openMedia({
    ports: { from: 26_200, to: 26_299 },
    workers: 1,
    tooLateMs: 500,
    log: () => undefined,
  });
  ends.push(() => media.close());
  const webrtc = openWebRtc({ ports: { from: 26_300, to: 26_319 }, ipv6: false });
  ends.push(() => webrtc.end());
  site = await realAppliance({}, { media, webrtc });
  ends.push(() => site.close());
  app = application(site);
  for (const name of ['first', 'second'])
    site.tenant.put(
      'mediaservice',
      name,
      replicatedMediaServiceSchema.parse({
        id: name,
        name,
        destinationMatch: `^${name}$`,
        callbackBaseUrl: 'https://app.example/cb',
      }),
    );
  const telephone = (user: string, hz: number): Promise<Baresip> => {
    site.device({
      deviceId: user,
      authType: 'credentials',
      digest: { md5: ha1Of(hash, 'MD5', user, DOMAIN, PASSWORD) },
    });
    const says = join(folder, `${user}.wav`);
    writeFileSync(says, writeWav([sine(hz, 60, 8_000)]));
    return Baresip.start({
      ...{ folder: mkdtempSync(join(folder, 'phone-')), user, password: PASSWORD, domain: DOMAIN, says },
      ...{ proxyPort: site.port('UDP'), transport: 'udp', codec: 'PCMA' },
    });
  };
  anna = await telephone('anna', ANNA);
  ends.push(() => anna.close());
  bo = await telephone('bo', BO);
  ends.push(() => bo.close());
});
afterAll(async () => {
  for (const end of ends.reverse()) await end();
  rmSync(folder, { recursive: true, force: true });
});

it('audio and digits pass through both services, and one that hangs up ends everything', async () => {
  app.on(
    '/newCall',
    { action: 'call', destAddr: 'second', xHeaders: { 'X-Case': '7' } },
    { action: 'call', destAddr: 'bo' },
  );
  app.on('/callEvent', { action: 'drop' }, { action: 'drop' });
  anna.say('dial', `sip:first@${DOMAIN}`);
  await anna.until('CALL_ESTABLISHED');
  await bo.until('CALL_ESTABLISHED');
  await expect.poll(() => [receivedPitch(anna), receivedPitch(bo)], WAIT).toEqual([BO, ANNA]);
  expect(app.received('/newCall')).toMatchObject([
    { callingParty: 'anna', calledParty: 'first' },
    { callingParty: 'anna', calledParty: 'second', xHeaders: { 'X-Case': '7' } },
  ]);
  // Anna, both ends of the line inside, Bo.
  expect(site.runtime.load.legs).toBe(4);
  anna.say('sndcode', '5');
  expect(await bo.until('CALL_DTMF_START')).toMatchObject({ param: '5' });
  bo.say('sndcode', '#');
  expect(await anna.until('CALL_DTMF_START')).toMatchObject({ param: '#' });
  bo.say('hangup');
  await anna.until('CALL_CLOSED');
  await expect.poll(() => app.received('/sessionCompleted').length, WAIT).toBe(2);
  await expect.poll(() => site.runtime.load.legs, WAIT).toBe(0);
  expect([app.unscripted, app.strange, site.logged]).toEqual([[], [], []]);
});
