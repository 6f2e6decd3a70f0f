import { expect } from 'vitest';
import { type Pair, phoneAt, send, sendingPair } from './sending.ts';
import type { Telephone } from './sip-telephone.ts';

/* Centres that call us, and devices that we call: what they say and hear in tones. */

/** An event of a unit behind a controller. */
export const OF_SCHEME = {
  deviceId: '0042',
  systemConfig: 'groupedSupervisorOffDuty',
  audio: 'duplex',
} as const;

/** Number of the controller that events of these journeys go out from. */
export const CONTROLLER = '5005';

/** A centre whose telephone rings with our call: an event of the scheme waits for it. */
export async function ringing(
  opened: Pair[],
  target: Record<string, unknown>,
  body: Record<string, unknown> = {},
) {
  const made = await sendingPair({ destAddr: 'sip:centre@care.example', ...target });
  opened.push(made);
  const centre = await phoneAt(made, 'sender', 'centre');
  const unit = await phoneAt(made, 'sender', 'unit');
  const taken = await send(made, { ...body, sipFrom: CONTROLLER, alarmEvent: OF_SCHEME });
  await made.until(() => centre.has('INVITE'));
  return { made, centre, unit, taken };
}

/** The centre turns our call away, and the message beside it where there is one; the next try is ten seconds off. */
export async function turnAway(made: Pair, centre: Telephone): Promise<void> {
  centre.respond(centre.request('INVITE'), 486);
  if (centre.has('MESSAGE')) centre.respond(centre.request('MESSAGE'), 603);
  await made.after(500);
}

/** The event is taken back: nothing waits any more. */
export async function takeBack(made: Pair, sessionId: string): Promise<void> {
  void made.sender.runtime.commands.hangUp(sessionId);
  await made.after(1_000);
  expect(made.sender.runtime.load.sendings).toBe(0);
}

/** An event of the scheme went out from the controller and is taken back: the centre never answered our call. */
export async function idle(opened: Pair[], target: Record<string, unknown>) {
  const all = await ringing(opened, target);
  await turnAway(all.made, all.centre);
  await takeBack(all.made, all.taken.sessionId);
  return all;
}

/** The centre calls the controller, and is answered. */
export async function callsController(made: Pair, centre: Telephone) {
  const talk = await centre.invite(CONTROLLER, made.pump);
  await made.until(() => centre.has(200), 5_000);
  centre.acknowledge(talk, centre.response(200));
  await made.after(500);
  return talk;
}

/** Tones heard since the last look; tones of `longMs` or more stand in brackets. */
const tonesOf = (phone: Telephone, longMs = 500): string =>
  phone.audio.digits
    .splice(0)
    .map(({ digit, ms }) => (ms < longMs ? digit : `(${digit})`))
    .join('');

/** Tones that it hears within this time. */
export async function hearsIn(made: Pair, phone: Telephone, ms: number): Promise<string> {
  await made.after(ms);
  return tonesOf(phone);
}

/** The tones that it hears from now on end with this. */
export async function hears(made: Pair, phone: Telephone, expected: string, longMs = 500): Promise<void> {
  let tones = '';
  const hasEnded = (): boolean => {
    tones += tonesOf(phone, longMs);
    return tones.endsWith(expected);
  };
  await made.until(hasEnded, 40_000).catch(() => expect(tones).toBe(expected));
}

/** Says it, and then hears this. */
export async function says(
  made: Pair,
  phone: Telephone,
  text: string,
  expected: string,
  { onMs = 80, longMs = 500 } = {},
): Promise<void> {
  phone.audio.digits.splice(0);
  phone.audio.press(text, { onMs });
  await hears(made, phone, expected, longMs);
}
