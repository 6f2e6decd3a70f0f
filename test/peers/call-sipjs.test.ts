import { afterAll, beforeAll, expect, it } from 'vitest';
import { ORDINARY_POLICY } from '#appliance/call/control/index.ts';
import { openMedia } from '#appliance/io/media-worker/index.ts';
import { openWebRtc } from '#appliance/io/webrtc/index.ts';
import type { Line, LineUser } from '#appliance/simulator/endpoint/telephone.ts';
import { type OpenTelephone, openTelephone } from '#appliance/simulator/io/open-telephone.ts';
import { ha1Of } from '#appliance/sip/auth/index.ts';
import { DEVICE_TOKEN_TYP } from '#shared/authorize/index.ts';
import { realAppliance } from '#test/support/real-appliance.ts';
import { hash } from '#test/support/sip-telephone.ts';
import {
  address,
  isOver,
  isUp,
  offers,
  presses,
  refers,
  remoteDescription,
  SipJsPhone,
} from './support/sipjs-phone.ts';

const DOMAIN = 'care.example';
const PASSWORD = 'correct horse';
const WAIT = { timeout: 60_000 };

let site: Awaited<ReturnType<typeof realAppliance>>;
let js: SipJsPhone;
const phones = new Map<string, Called>();
const ends: (() => Promise<unknown> | unknown)[] = [];

/** A telephone of ours, and what it hears of its call. */
interface Called {
  readonly phone: OpenTelephone;
  readonly digits: string[];
  caller: string | undefined;
  line: Line | undefined;
  over: string | undefined;
}

beforeAll(async () => {
  const ports = { from: 26_200, to: 26_299 };
  const media = await openMedia({ ports, workers: 1, tooLateMs: 60_000, log: () => undefined });
  ends.push(() => media.close());
  const webrtc = openWebRtc({ ports: { from: 26_300, to: 26_399 }, extraHosts: ['127.0.0.1'], ipv6: false });
  ends.push(() => webrtc.end());
  site = await realAppliance({}, { media, webrtc });
  ends.push(() => site.close());
  for (const name of ['anna', 'bo']) phones.set(name, await opened(name));
  const authorized = { register: true, invite: '^sip:(anna|bo)@', domain: DOMAIN };
  site.device({ deviceId: 'tablet', authType: 'userid', authorized });
  const iat = Math.floor(Date.now() / 1_000);
  const claims = {
    domain: DOMAIN,
    sub: 'tablet',
    authorized,
    iss: 'https://127.0.0.1',
    iat,
    exp: iat + 3_600,
  };
  js = new SipJsPhone('tablet', site.webSocket, site.signer.sign(DEVICE_TOKEN_TYP, claims), site.ca);
  ends.push(() => js.close());
  await js.register();
});
afterAll(async () => {
  for (const end of ends.reverse()) await end();
});

async function opened(user: string): Promise<Called> {
  const digest = {
    sha256: ha1Of(hash, 'SHA-256', user, DOMAIN, PASSWORD),
    md5: ha1Of(hash, 'MD5', user, DOMAIN, PASSWORD),
  };
  site.device({ deviceId: user, authType: 'credentials', digest });
  const phone = await openTelephone({
    to: `127.0.0.1:${site.port('UDP')}`,
    transport: 'udp',
    domain: DOMAIN,
    user,
    password: PASSWORD,
    policy: { ...ORDINARY_POLICY, profile: 'alarm', srtp: 'never' },
  });
  ends.push(() => phone.close());
  const called: Called = { phone, digits: [], caller: undefined, line: undefined, over: undefined };
  phone.telephone.takeCallsBy((caller) => {
    called.caller = caller;
    return listener(called);
  });
  expect(await phone.telephone.register(600)).toMatchObject({ ok: true });
  return called;
}

function listener(called: Called): LineUser {
  called.line = undefined;
  called.over = undefined;
  called.digits.length = 0;
  return {
    answered: (line) => {
      called.line = line;
      void called.phone.media.listen(line.name, { profile: 'ivr', digits: true, tones: [] });
    },
    mediaEvent: (_, event) => {
      if (event.kind === 'digit' && event.edge === 'end') called.digits.push(event.digit);
    },
    ended: (_, reason) => {
      called.over = reason;
    },
  };
}

const at = (name: string): Called => {
  const found = phones.get(name);
  if (found === undefined) throw new Error(`there is no telephone ${name}`);
  return found;
};

it('sip.js calls, presses a key by INFO, holds and comes back, and hangs up', async () => {
  const session = await js.call('anna');
  await expect.poll(() => isUp(session) && at('anna').line, WAIT).toBeTruthy();
  expect(at('anna').caller).toBe('tablet');
  expect(await presses(session, '5')).toBe(200);
  await expect.poll(() => at('anna').digits.join(''), WAIT).toBe('5');
  expect(await offers(session, 'sendonly')).toBe(200);
  expect(remoteDescription(session)).toContain('a=recvonly');
  expect(await offers(session, 'sendrecv')).toBe(200);
  expect(remoteDescription(session)).toContain('a=sendrecv');
  await session.bye();
  await expect.poll(() => at('anna').over, WAIT).toBeDefined();
});

it('sip.js is called; what it cannot answer comes again as plain audio', async () => {
  js.rung.length = 0;
  const anna = at('anna');
  anna.phone.telephone.call('tablet', listener(anna));
  await expect.poll(() => js.rung.length, WAIT).toBe(1);
  expect(js.rung[0]?.body).toContain('UDP/TLS/RTP/SAVPF');
  await js.rung[0]?.reject({ statusCode: 488 });
  await expect.poll(() => js.rung.length, WAIT).toBe(2);
  const [, plain] = js.rung;
  if (plain === undefined) throw new Error('no second INVITE');
  expect(plain.body).toMatch(/m=audio \d+ RTP\/AVP /);
  await plain.accept();
  await expect.poll(() => isUp(plain) && anna.line, WAIT).toBeTruthy();
  anna.line?.hangUp();
  await expect.poll(() => isOver(plain), WAIT).toBe(true);
});

it('sip.js transfers: blind, and to a dialog of its own', async () => {
  const blind = await js.call('anna');
  await expect.poll(() => isUp(blind), WAIT).toBe(true);
  const progress = await refers(blind, address('bo'));
  await expect.poll(() => progress.at(-1), WAIT).toBe('SIP/2.0 200 OK');
  await expect.poll(() => isOver(blind), WAIT).toBe(true);
  expect(at('bo').caller).toBe('anna');
  at('bo').line?.hangUp();
  await expect.poll(() => at('anna').over, WAIT).toBeDefined();

  const first = await js.call('anna');
  await expect.poll(() => isUp(first), WAIT).toBe(true);
  const second = await js.call('bo');
  await expect.poll(() => isUp(second) && at('bo').line, WAIT).toBeTruthy();
  const joined = await refers(first, second);
  await expect.poll(() => joined.at(-1), WAIT).toBe('SIP/2.0 200 OK');
  await expect.poll(() => isOver(first) && isOver(second), WAIT).toBe(true);
  const line = at('anna').line?.name ?? '';
  await at('anna').phone.media.sendDigits(line, 'test', { digits: '9', mode: 'auto', onMs: 120, offMs: 80 });
  await expect.poll(() => at('bo').digits.join(''), WAIT).toBe('9');
  at('bo').line?.hangUp();
  await expect.poll(() => site.runtime.load.calls, WAIT).toBe(0);
  expect(site.logged.filter((line) => line.startsWith('error') || line.startsWith('defect'))).toEqual([]);
});
