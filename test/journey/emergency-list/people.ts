import { render, tone } from '#appliance/media/dtmf/index.ts';
import type { SipRequest } from '#appliance/sip/message/index.ts';
import type { Appliance, Talk, Telephone } from '#test/support/sip-telephone.ts';
import { takesCall } from '#test/support/talking.ts';
import type { telephones } from '#test/support/telephone.ts';
import {
  MESSAGE,
  messageOf,
  SILENT_MESSAGE,
  SILENT_STRING,
  STRING,
  voiceBridge,
} from '#test/support/voice-alarm.ts';

/* Alarms whose people are called from a list, as the telephones of all sides play them. */

type Net = ReturnType<typeof telephones>;

/** One entry as provisioning has it. */
export const entry = (user: string, more: Record<string, unknown> = {}): Record<string, unknown> => ({
  destination: `sip:${user}@care.example`,
  ...more,
});

/** Steps of one entry each, in this order. */
export const listOf = (...users: readonly string[]): Record<string, unknown> => ({
  steps: users.map((user) => ({ entries: [entry(user)] })),
});

/** A unit whose alarm is raised, and whose call is up where its protocol has one. */
export interface RaisedUnit {
  readonly unit: Telephone;
  readonly talk: Talk | undefined;
}

/** An alarm of this protocol; its device calls as its protocol does. */
export async function raisesAlarm(
  site: Appliance,
  net: Net,
  protocol: string,
  fields: Record<string, unknown>,
): Promise<RaisedUnit> {
  voiceBridge(site, protocol, fields);
  const byMessage = Object.hasOwn(MESSAGE, protocol);
  const proof = byMessage ? { authType: 'deviceid', digest: undefined } : {};
  const unit = await net.device('unit', '192.0.2.30', proof, false);
  if (byMessage) messageOf(unit, MESSAGE[protocol] ?? '', 'here', 'alarm');
  await net.pump();
  answersMessages(unit);
  return { unit, talk: await deviceCalls(net, unit, protocol) };
}

/** An event without speech of this protocol. A device that speaks by message does not call behind it. */
export async function raisesSilentAlarm(
  site: Appliance,
  net: Net,
  protocol: string,
  fields: Record<string, unknown>,
): Promise<RaisedUnit> {
  voiceBridge(site, protocol, { audio: 'none', ...fields });
  const message = SILENT_MESSAGE[protocol];
  if (message === undefined) {
    const caller = await net.device('unit', '192.0.2.30', {}, false);
    return { unit: caller, talk: await deviceCalls(net, caller, protocol, SILENT_STRING) };
  }
  const unit = await net.device('unit', '192.0.2.30', { authType: 'deviceid', digest: undefined }, false);
  messageOf(unit, message, 'here', 'alarm');
  await net.pump();
  answersMessages(unit);
  return { unit, talk: undefined };
}

/** The call of the device, with its string where its protocol has one. */
async function deviceCalls(net: Net, unit: Telephone, protocol: string, strings = STRING): Promise<Talk> {
  const talk = await unit.invite('here', net.pump, { challenged: !Object.hasOwn(MESSAGE, protocol) });
  unit.acknowledge(talk, unit.response(200));
  const { digits, ms = 80, afterMs = 700 } = strings[protocol] ?? { digits: '' };
  await net.after(afterMs, 100);
  unit.audio.press(digits, { onMs: ms, offMs: ms });
  return talk;
}

export function answersMessages(unit: Telephone): void {
  while (unit.has('MESSAGE')) unit.respond(unit.request('MESSAGE'), 200);
}

/** Time passes until this telephone rings; undefined: it does not in that time. */
export async function rings(net: Net, phone: Telephone, mostMs = 60_000): Promise<boolean> {
  for (let waited = 0; waited < mostMs && !phone.has('INVITE'); waited += 500) await net.after(500);
  return phone.has('INVITE');
}

/** The person takes the call and presses these keys, one after the other. */
export async function takes(net: Net, phone: Telephone, keys = ''): Promise<SipRequest> {
  const invite = await takesCall(phone, net);
  await net.after(1_500);
  await presses(net, phone, keys);
  return invite;
}

export async function presses(net: Net, phone: Telephone, keys: string): Promise<void> {
  for (const key of keys) {
    phone.audio.press(key, { onMs: 100, offMs: 100 });
    await net.after(500);
  }
  await net.after(1_500);
}

/** Whether one hears the other. */
export async function hears(net: Net, says: Telephone, other: Telephone): Promise<boolean> {
  await net.after(500);
  other.audio.forget();
  says.audio.say(render([tone(600, 400)]));
  await net.after(1_000);
  return other.audio.received.some((sample) => Math.abs(sample) > 2_000);
}

/** The SCAIP alarm of a unit; `more`: further elements. */
export const sendsScaip = (unit: Telephone, more: string): string =>
  messageOf(unit, (MESSAGE.scaip ?? '').replace('</mrq>', `${more}</mrq>`), 'here', 'alarm');
