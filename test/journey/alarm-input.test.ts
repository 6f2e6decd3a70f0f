import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeCheck } from '#appliance/alarm/protocol/tone/index.ts';
import { protocolProfileSchema } from '#shared/contract/provisioning/index.ts';
import { answered, testAppliance } from '#test/support/appliance.ts';
import { type Telephone, telephones } from '#test/support/telephone.ts';
import { isLoud } from '#test/support/tone/tone-line.ts';
import { contactId, lift, SPEECH, speechOf } from '#test/support/tone-speech.ts';

/*
 * Damaged alarms of devices, through the whole appliance: an alarm always results, with a warning, never silence,
 * and the device is answered as its protocol says.
 */

let site: Awaited<ReturnType<typeof testAppliance>>;
let net: ReturnType<typeof telephones>;
let unit: Telephone;

beforeEach(async () => {
  site = await testAppliance();
  net = telephones(site);
  site.answerBy(() => answered({ action: 'drop' }));
  site.notify('https://app.example/alarms');
  unit = await net.device('unit', '192.0.2.30');
});

afterEach(async () => {
  expect(site.logged.filter((line) => line.includes('defect'))).toEqual([]);
  await site.close();
});

interface Report {
  readonly sessionId: string;
  readonly sourceAlarmProtocol: string;
  readonly alarmEvent: Readonly<Record<string, unknown>>;
  readonly sourceAlarmEvent: {
    readonly raw: string;
    readonly warnings: readonly string[];
    readonly check: object;
  };
}

const reported = () =>
  site.posted
    .filter(({ call }) => call.path === '/newAlarmbridgeEvent')
    .map(({ body }) => body as unknown as Report);

/** Digits that the unit has heard since the last look. */
const received = (): string =>
  unit.audio.digits
    .splice(0)
    .map(({ digit }) => digit)
    .join('');

const PROTOCOLS = Object.keys(SPEECH);
const of = speechOf;

function bridge(protocol: string, fields: Record<string, unknown> = {}) {
  site.bridge({ protocol, name: 'Units', destinationMatch: '^here$', ...fields });
}

async function called(phone = unit, askedMs = 700) {
  const talk = await phone.invite('here', net.pump);
  phone.acknowledge(talk, phone.response(200));
  await net.after(askedMs, 100);
  return talk;
}

/** The unit says a string; what it hears until `ms` after it. */
async function says(protocol: string, string = of(protocol).string, ms = 1_200): Promise<string> {
  const { ms: onMs } = of(protocol);
  received();
  unit.audio.press(string, { onMs, offMs: onMs });
  await net.after(string.length * 2 * onMs + ms, 100);
  return received();
}

/** No party is left on a line, whichever hangs up. */
async function over(): Promise<void> {
  await net.after(15_000);
  while (unit.has('BYE')) unit.respond(unit.request('BYE'), 200);
  await net.after(40_000);
  expect(site.runtime.load).toMatchObject({ calls: 0, alarms: 0 });
}

describe.each(PROTOCOLS)('%s', (protocol) => {
  const { string, unknown, askedMs, taken, ms } = of(protocol);

  it('silence: the call is the event, and says so', async () => {
    bridge(protocol);
    await called();
    await net.after(45_000);
    expect(reported()).toMatchObject([
      { sourceAlarmProtocol: 'voicecall', sourceAlarmEvent: { warnings: [expect.stringMatching(/^no/)] } },
    ]);
  });

  const stepMs = string.length * ms;
  it.each([
    ['before it is asked', -askedMs],
    ['when it is asked', 0],
    ['in the middle of its string', stepMs],
    ['at the end of its string', 2 * stepMs],
    ['when it is acknowledged', 2 * stepMs + 1_200],
    ['when it is cleared', 2 * stepMs + 2_500],
  ])('hang-up %s: one event, and no party left on the line', async (_, afterMs) => {
    bridge(protocol);
    const talk = await called(unit, Math.max(100, askedMs + Math.min(afterMs, 0)));
    unit.audio.press(afterMs > 0 ? string : '', { onMs: ms, offMs: ms });
    await net.after(Math.max(100, afterMs), 100);
    unit.inDialog(talk, 'BYE');
    await net.after(1_500);
    expect(reported()).toHaveLength(1);
    const [event] = reported();
    const whole = event?.sourceAlarmProtocol === protocol;
    expect(event?.sourceAlarmEvent.warnings.includes('hungUp')).toBe(!whole);
    if (afterMs > 2 * stepMs) expect(whole).toBe(true);
    await over();
  });

  it('is acknowledged within 200 ms after its last digit, also while the application says nothing', async () => {
    site.answerBy(() => undefined);
    bridge(protocol);
    await called(unit, askedMs);
    const now = () => unit.audio.packets.at(-1)?.atMs ?? 0;
    unit.audio.press(string, { onMs: ms, offMs: ms });
    await net.after(2 * stepMs - ms, 20);
    const endedMs = now();
    await net.after(2_000, 20);
    const ack = unit.audio.packets.find(({ atMs, payload }) => atMs > endedMs && isLoud(payload));
    const tookMs = (ack?.atMs ?? Number.POSITIVE_INFINITY) - endedMs;
    // No public document says how CPC is acknowledged.
    if (protocol === 'cpc-antenna') expect(ack).toBeUndefined();
    else expect(tookMs).toBeLessThanOrEqual(200);
    expect(reported()).toHaveLength(1);
  });

  it('an unknown unit: reported, and its alarm is handled', async () => {
    bridge(protocol);
    await called(unit, askedMs);
    expect(await says(protocol)).toContain(taken);
    await net.after(2_000);
    expect(reported()).toMatchObject([{ sourceAlarmProtocol: protocol }]);
    const unknownDevice = site.posted.filter(({ body }) => body.type === 'unknownDevice');
    expect(unknownDevice).toMatchObject([{ body: { protocol } }]);
  });

  // P100 names no code that could be unknown.
  it.each(unknown === '' ? [] : [unknown])('an unknown code (%s): taken, with a warning', async () => {
    bridge(protocol);
    await called(unit, askedMs);
    expect(await says(protocol, unknown)).toContain(taken);
    await net.after(2_000);
    expect(reported()).toMatchObject([{ sourceAlarmProtocol: protocol }]);
    expect(reported()[0]?.sourceAlarmEvent.warnings.join()).toMatch(/unknown/);
  });

  it('two devices with one identity, at the same time: an alarm of each', async () => {
    bridge(protocol);
    const other = await net.device('other', '192.0.2.32');
    const talks = [await called(unit, 100), await called(other, askedMs)];
    for (const phone of [unit, other]) phone.audio.press(string, { onMs: ms, offMs: ms });
    await net.after(2 * stepMs + 3_000, 100);
    expect(talks).toHaveLength(2);
    expect(reported().map(({ sourceAlarmProtocol }) => sourceAlarmProtocol)).toEqual([protocol, protocol]);
    expect(new Set(reported().map(({ sessionId }) => sessionId)).size).toBe(2);
  });
});

describe('a string of BS 8521', () => {
  const STRING = of('bs8521').string;

  it.each([
    ['without its A', STRING.slice(1)],
    ['without its #', STRING.slice(0, -1)],
    ['without both', STRING.slice(1, -1)],
  ])('%s is still read', async (_, string) => {
    bridge('bs8521');
    await called(unit, 800);
    expect(await says('bs8521', string)).toMatch(/^B/);
    expect(reported()).toMatchObject([{ alarmEvent: { controllerId: '12345678', deviceId: '0001' } }]);
  });

  it('with a digit twice is not acknowledged; the one that is repeated is the alarm', async () => {
    bridge('bs8521');
    await called(unit, 800);
    expect(await says('bs8521', STRING.replace('345', '3445'), 900)).toBe('');
    expect(reported()).toEqual([]);
    expect(await says('bs8521')).toMatch(/^B/);
    expect(reported()).toHaveLength(1);
    const [line] = site.runtime.handshakes.list({ kind: 'number', key: 'unit', limit: 1 });
    expect(line).toMatchObject({ retried: 1, badStrings: 1 });
  });

  it('is tried with every check method (policy learn), and those that fit are counted', async () => {
    bridge('bs8521');
    await called(unit, 800);
    const digits = STRING.slice(1, 25);
    const check = makeCheck('sumMod100', digits)?.padStart(2, '0');
    expect(await says('bs8521', `A${digits}${check}#`)).toMatch(/^B/);
    const [line] = site.runtime.handshakes.list({ kind: 'number', key: 'unit', limit: 1 });
    expect(line?.checkMethods).toMatchObject({ sumMod100: 1 });
    expect(line?.checkMethods).not.toHaveProperty('sumMod100Complement');
  });

  it('is one alarm when its digits come as events and leak into the audio', async () => {
    bridge('bs8521');
    await called(unit, 800);
    unit.audio.press(STRING, { by: 'rfc4733' });
    await net.after(STRING.length * 160 + 1_000, 100);
    expect(received()).toContain('B');
    expect(reported()).toHaveLength(1);
  });

  it('is acknowledged again when its device has missed the acknowledge, however far we are', async () => {
    site.answerBy(() => answered({ action: 'callEmergencyCenter' }));
    bridge('bs8521', { defaultEmergencyDestination: 'sip:arc@care.example' });
    const arc = await net.device('arc', '192.0.2.31');
    await called(unit, 800);
    expect(await says('bs8521', STRING, 800)).toMatch(/^B/);
    arc.request('INVITE');
    expect(await says('bs8521', STRING, 800)).toBe('B');
    expect(reported()).toHaveLength(1);
    // And another one is a further event of the call.
    expect(await says('bs8521', 'A01001234567800010410000000#', 800)).toBe('B');
    expect(reported()).toHaveLength(2);
    expect(reported()[1]?.sessionId).toBe(reported()[0]?.sessionId);
  });

  it('with wrong check digits: asked for again as often as the profile says, then taken with a warning', async () => {
    bridge('bs8521', { protocolProfile: 'strict' });
    const check = { policy: 'verify', method: 'sumMod100', maxRejects: 1 };
    const row = { name: 'strict', kind: 'tone', extends: 'bs8521', content: { check } };
    site.tenant.put('protocolprofile', 'strict', protocolProfileSchema.parse(row));
    await called(unit, 800);
    expect(await says('bs8521', STRING.replace(/00#$/, '99#'), 900)).toBe('');
    expect(reported()).toEqual([]);
    expect(await says('bs8521', STRING.replace(/00#$/, '99#'))).toMatch(/^B/);
    expect(reported()).toMatchObject([
      { sourceAlarmEvent: { check: { policy: 'verify', result: 'failed' }, warnings: ['checkFailed'] } },
    ]);
  });
});

describe('wrong check digits', () => {
  it('Contact ID: three messages without an answer, the fourth is taken with a warning', async () => {
    bridge('contactId');
    await called(unit, 1_800);
    const wrong = `${contactId('130').slice(0, -1)}${contactId('130').endsWith('1') ? '2' : '1'}`;
    for (let tries = 0; tries < 3; tries++) {
      await says('contactId', wrong, 1_250);
      expect(reported()).toEqual([]);
    }
    await says('contactId', wrong, 2_500);
    expect(reported()).toMatchObject([{ sourceAlarmEvent: { warnings: ['checkFailed'] } }]);
  });

  it('P100: the lift is asked to say it again (C)', async () => {
    bridge('p100');
    await called(unit, 1_800);
    const wrong = `${lift('1').slice(0, -1)}${lift('1').endsWith('1') ? '2' : '1'}`;
    expect(await says('p100', wrong)).toBe('C');
    expect(reported()).toEqual([]);
    expect(await says('p100')).toContain('A');
    expect(reported()).toMatchObject([{ sourceAlarmEvent: { warnings: [] } }]);
  });
});

it.each(['tt92', 'ttnew'])(
  "%s: a string with a digit twice is not cut to another unit's",
  async (protocol) => {
    bridge(protocol);
    await called();
    const { string, taken } = of(protocol);
    for (const place of [4, 9, 20, 23]) {
      const doubled = `${string.slice(0, place)}${string[place - 1]}${string.slice(place)}`;
      expect(await says(protocol, doubled)).toBe('');
    }
    expect(reported()).toEqual([]);
    expect(await says(protocol)).toBe(taken);
    expect(reported()).toMatchObject([{ alarmEvent: { controllerId: '123456789' } }]);
  },
);

it.each(['tt92', 'ttnew'])('%s: a string without its first D is read', async (protocol) => {
  bridge(protocol);
  await called();
  expect(await says(protocol, of(protocol).string.slice(1))).toBe(of(protocol).taken);
  expect(reported()).toMatchObject([{ sourceAlarmEvent: { warnings: [] } }]);
});

it.each(PROTOCOLS)(
  '%s: tones need G.711 from end to end: a call that has none is refused (488)',
  async (protocol) => {
    bridge(protocol);
    await unit.invite('here', net.pump, { sdp: unit.describe({ formats: '3 101' }) });
    unit.response(488);
    await over();
  },
);
