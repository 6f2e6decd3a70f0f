import { afterEach, expect } from 'vitest';
import { ha1Of } from '#appliance/sip/auth/index.ts';
import { sendAlarmEventSchema } from '#shared/contract/runtime/index.ts';
import { answered } from './appliance.ts';
import { CENTRE, pair } from './pair.ts';
import { hash, Telephone } from './sip-telephone.ts';

export type Pair = Awaited<ReturnType<typeof pair>>;
type Site = Pair['sender'];

export const EVENT = {
  controllerId: '12345678',
  deviceId: '0042',
  deviceType: 'fallDetector',
  statusCode: 'alarm',
  location: 'bedRoom',
  priority: 7,
} as const;

/** Two appliances whose applications answer `drop`; every event of the sender has the receiver `north`. */
export async function sendingPair(
  target: Record<string, unknown>,
  options: {
    readonly mapper?: Record<string, unknown>;
    readonly bridge?: Record<string, unknown>;
    readonly pair?: Parameters<typeof pair>[0];
  } = {},
): Promise<Pair> {
  const made = await pair(options.pair);
  for (const site of [made.sender, made.centre]) site.answerBy(() => answered({ action: 'drop' }));
  made.sender.mapper(target, options.mapper);
  made.sender.bridge({
    id: 'north',
    protocol: 'api',
    name: 'North',
    destinationMatch: '^north$',
    alarmEventMapperId: 'mapper-1',
    ...options.bridge,
  });
  return made;
}

/** A bridge of the centre that takes the sender's events in this protocol. */
export const centreBridge = (made: Pair, protocol: string, fields: Record<string, unknown> = {}) =>
  made.centre.bridge({ protocol, name: 'Centre', destinationMatch: '^alarm$', ...fields });

/** Credentials that let the sender in at the centre. */
export const LOGIN = { sipAuthUser: 'carillon', sipAuthPassword: 'secret of carillon' } as const;

/** The centre knows the sender by a password. */
export function centreKnows(made: Pair): void {
  const { sipAuthUser: user, sipAuthPassword: password } = LOGIN;
  const ha1 = (algorithm: 'SHA-256' | 'MD5') => ha1Of(hash, algorithm, user, made.centre.domain, password);
  made.centre.device({
    deviceId: user,
    authType: 'credentials',
    digest: { sha256: ha1('SHA-256'), md5: ha1('MD5') },
  });
}

/** Speech after the event: the device is called. */
export const VOICE = {
  alarmVoiceCallbackDestination: 'sip:unit@care.example',
  callbackSipFrom: '4711',
} as const;

/** A centre that speaks this protocol and whose application sends every alarm to the telephone `arc`, and a device `unit`. */
export async function withPeople(protocol: string, deviceProtocol?: string) {
  const made = await sendingPair({ protocol, destAddr: AT_CENTRE, ...LOGIN });
  centreKnows(made);
  centreBridge(made, protocol, { defaultEmergencyDestination: `sip:arc@${CENTRE}` });
  made.centre.answerBy(() => answered({ action: 'callEmergencyCenter' }));
  const arc = await phoneAt(made, 'centre', 'arc');
  const unit = await phoneAt(made, 'sender', 'unit', {
    serviceData: { alarmBridge: { ...(deviceProtocol && { alarmProtocol: deviceProtocol }) } },
  });
  return { made, arc, unit };
}

/** The event is taken, and receiver and device speak. */
export async function speaking(
  all: Awaited<ReturnType<typeof withPeople>>,
  body: Record<string, unknown> = {},
) {
  const { made, arc, unit } = all;
  const taken = await send(made, { ...VOICE, ...body });
  const arcTalk = await answerCall(made, arc);
  const unitTalk = await answerCall(made, unit);
  await made.after(1_500);
  unit.audio.digits.splice(0);
  arc.audio.digits.splice(0);
  return { ...all, taken, arcTalk, unitTalk };
}

/** A registered telephone at one of the two sites. */
export async function phoneAt(
  made: Pair,
  where: 'sender' | 'centre',
  user: string,
  fields: Record<string, unknown> = {},
): Promise<Telephone> {
  const site = made[where];
  const host = `${site.address.slice(0, site.address.lastIndexOf('.'))}.${31 + made.others.size}`;
  const password = `secret of ${user}`;
  const ha1 = (algorithm: 'SHA-256' | 'MD5') => ha1Of(hash, algorithm, user, site.domain, password);
  const digest = { sha256: ha1('SHA-256'), md5: ha1('MD5') };
  site.device({ deviceId: user, authType: 'credentials', digest, ...fields });
  const phone = new Telephone(site, { user, host, password });
  made.others.set(host, (bytes) => phone.receive(bytes));
  await phone.register(made.pump);
  return phone;
}

/** Answers the call that has come. */
export async function answerCall(made: Pair, phone: Telephone) {
  await made.until(() => phone.has('INVITE'), 20_000);
  const invite = phone.request('INVITE');
  phone.hearPort(invite);
  phone.respond(invite, 200, { sdp: phone.describe() });
  await made.until(() => phone.has('ACK'), 5_000);
  phone.request('ACK');
  return phone.answeredTalk(invite);
}

export const AT_CENTRE = `sip:alarm@${CENTRE}`;

/** Bodies of the callbacks of this name that a site's application got. */
export const callbacksOf = (site: Site, name: string): Record<string, unknown>[] =>
  site.posted.filter(({ call }) => call.path === `/${name}`).map(({ body }) => body);

/** sendalarmevent at the sender's site. */
export async function send(made: Pair, body: Record<string, unknown> = {}, key?: string) {
  const { alarmEvent, ...rest } = body;
  const request = { eventReceiver: 'north', alarmEvent: { ...EVENT, ...(alarmEvent as object) }, ...rest };
  const answer = made.sender.runtime.sending.sender.send(sendAlarmEventSchema.parse(request), key);
  await made.sender.quiet();
  const taken = await answer;
  expect(taken).toMatchObject({ ok: true });
  if (!taken.ok) throw new Error(taken.error.reason);
  return taken.value;
}

/** Nothing went wrong behind the scenes. */
export function noDefects(made: Pair): void {
  for (const site of [made.sender, made.centre])
    expect(site.logged.filter((line) => line.includes('defect') && !line.includes('no space'))).toEqual([]);
}

/** The pairs of a file: after its test each has met no defect, and is closed. */
export function keptPairs(): Pair[] {
  const opened: Pair[] = [];
  afterEach(async () => {
    for (const made of opened.splice(0)) {
      noDefects(made);
      await made.close();
    }
  });
  return opened;
}

/** No party is left on a line. */
export function allQuiet(made: Pair): void {
  for (const site of [made.sender, made.centre])
    expect(site.runtime.load).toMatchObject({ calls: 0, alarms: 0, sendings: 0 });
}
