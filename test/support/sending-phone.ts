import { decodeRequest, encodeResponse, type ScaipResponse } from '#appliance/alarm/protocol/scaip/index.ts';
import type { SipRequest } from '#appliance/sip/message/index.ts';
import { type Pair, phoneAt, send, sendingPair, VOICE } from './sending.ts';
import type { Telephone } from './sip-telephone.ts';

/** Host of the telephone that `atPhone` opens. */
export const PHONE_HOST = '192.0.2.31';
const AT_PHONE = `sip:alarm@${PHONE_HOST}`;
/** No telephone is there. */
export const NOWHERE = 'sip:alarm@203.0.113.9';

type Said = Record<string, unknown>;

/** A sender whose receiver is a telephone, `arc`: what the receiver gets is looked at as it came. SCAIP unless the target says otherwise. */
export async function atPhone(opened: Pair[], target: Said = {}, mapper: Said = {}) {
  const made = await sendingPair({ protocol: 'scaip', destAddr: AT_PHONE, ...target }, { mapper });
  opened.push(made);
  return { made, arc: await phoneAt(made, 'sender', 'arc') };
}

/** The receiver takes the alarm that comes by SCAIP; `more`: what its answer says beside snu 0. */
export async function takesAlarm(
  made: Pair,
  arc: Telephone,
  more: Partial<ScaipResponse> = {},
): Promise<SipRequest> {
  await made.until(() => arc.has('MESSAGE'), 120_000);
  const message = arc.request('MESSAGE');
  const alarm = decodeRequest(message.body);
  if (!alarm.ok) throw new Error(alarm.error.reason);
  arc.respond(message, 200, { sdp: encodeResponse({ ref: alarm.value.ref, snu: 0, ...more }) });
  return message;
}

/** The MESSAGE that an event becomes. */
export async function messageOf(opened: Pair[], target: Said, mapper: Said = {}, body: Said = {}) {
  const { made, arc } = await atPhone(opened, target, mapper);
  await send(made, body);
  return await takesAlarm(made, arc);
}

/** The INVITE that a receiver gets which is only called. */
export async function inviteOf(opened: Pair[], target: Said, mapper: Said = {}, body: Said = {}) {
  const { made, arc } = await atPhone(opened, { protocol: 'voicecall', ...target }, mapper);
  await send(made, { ...VOICE, ...body });
  await made.until(() => arc.has('INVITE'), 10_000);
  return arc.request('INVITE');
}

/** Text of an element of a SCAIP request; undefined: it has none. */
export const elementOf = (message: SipRequest, name: string): string | undefined =>
  new RegExp(`<${name}>([^<]*)</${name}>`).exec(message.body.toString())?.[1];
