import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { answered, testAppliance } from '#test/support/appliance.ts';
import { type Telephone, telephones } from '#test/support/telephone.ts';
import { MESSAGE, messageOf, voiceBridge } from '#test/support/voice-alarm.ts';

/*
 * The voice call of a device without a secret (authType deviceid) into its alarm session. A call from the address of the alarm is
 * the device's. Another one raises a platform alarm or is refused (`voiceCallSource`), and the device itself always finds people.
 */

const DEVICE = '192.0.2.30';
const STRANGER = '203.0.113.66';

let site: Awaited<ReturnType<typeof testAppliance>>;
let net: ReturnType<typeof telephones>;
let unit: Telephone;
let thief: Telephone;
let arc: Telephone;

beforeEach(async () => {
  site = await testAppliance();
  net = telephones(site);
  site.answerBy(() => answered({ action: 'callEmergencyCenter' }));
  site.notify('https://app.example/alarms');
  arc = await net.device('arc', '192.0.2.31');
});
afterEach(async () => {
  expect(site.logged.filter((line) => line.includes('defect'))).toEqual([]);
  await site.close();
});

const BY_MESSAGE = ['scaip', 'nowip', 'lacs'] as const;

async function alarm(
  protocol: string,
  fields: Record<string, unknown> = {},
  device: Record<string, unknown> = { authType: 'deviceid', digest: undefined },
): Promise<void> {
  voiceBridge(site, protocol, fields);
  unit = await net.device('unit', DEVICE, device, false);
  thief = net.stranger('unit', STRANGER);
  messageOf(unit, MESSAGE[protocol] ?? '', 'here', 'alarm');
  await net.pump();
  while (unit.has('MESSAGE')) unit.respond(unit.request('MESSAGE'), 200);
}

/** The status of the call, acknowledged when it is taken. */
async function calls(phone: Telephone): Promise<number> {
  const talk = await phone.invite('here', net.pump, { challenged: false });
  await net.after(200);
  const status = [200, 401, 403, 404, 480].find((each) => phone.has(each)) ?? 0;
  if (status === 200) phone.acknowledge(talk, phone.response(200));
  await net.after(500);
  return status;
}

const reported = (error: string) =>
  site.posted.filter(({ body }) => body.error === error).map(({ body }) => body);

describe.each(BY_MESSAGE)('%s: the call of a device without a secret', (protocol) => {
  it('from where its alarm came is joined, and nothing is reported', async () => {
    await alarm(protocol);
    expect(await calls(unit)).toBe(200);
    expect(arc.has('INVITE')).toBe(true);
    expect(reported('voiceFromOtherAddress')).toEqual([]);
  });

  it('from another address is joined, and a person learns of both', async () => {
    await alarm(protocol);
    expect(await calls(thief)).toBe(200);
    expect(arc.has('INVITE')).toBe(true);
    expect(reported('voiceFromOtherAddress')).toMatchObject([
      {
        type: 'serviceAlarm',
        sessionId: expect.any(String),
        errorDetails: { sourceIp: STRANGER, alarmSourceIp: DEVICE },
      },
    ]);
  });

  it('from another address is refused with voiceCallSource strict, and authError is raised; its own is joined', async () => {
    await alarm(protocol, { voiceCallSource: 'strict' });
    expect(await calls(thief)).toBe(403);
    expect(arc.has('INVITE')).toBe(false);
    expect(site.posted.map(({ body }) => body)).toContainEqual(
      expect.objectContaining({ type: 'authError', reason: 'notPermitted', sourceIp: STRANGER }),
    );
    expect(await calls(unit)).toBe(200);
    expect(arc.has('INVITE')).toBe(true);
  });

  it('after a stranger has taken its session still finds people', async () => {
    await alarm(protocol);
    await calls(thief);
    arc.respond(arc.request('INVITE'), 200, { sdp: arc.describe() });
    await net.after(500);
    expect(await calls(unit)).toBe(200);
    for (let waited = 0; waited < 20_000 && !arc.has('INVITE'); waited += 500) await net.after(500);
    expect(arc.has('INVITE')).toBe(true);
  });
});

it('comes from any address for a device with a password: it has proved its identity', async () => {
  voiceBridge(site, 'scaip', { voiceCallSource: 'strict' });
  unit = await net.device('unit', DEVICE);
  messageOf(unit, MESSAGE.scaip ?? '', 'here', 'alarm');
  await net.pump();
  const talk = await unit.invite('here', net.pump);
  unit.acknowledge(talk, unit.response(200));
  await net.after(500);
  expect(reported('voiceFromOtherAddress')).toEqual([]);
});
