import { type Dc09Content, decodeContent, refusedXdata } from './content.ts';
import { ANSWER_TOKENS, EVENT_TOKENS } from './message.ts';
import { NO_SEQUENCE } from './profile.ts';
import type { LinkInput } from './receiver-state.ts';
import { openContent, type Sealing } from './seal.ts';
import { type Dc09Event, eventsOf, unreadableEvent } from './translate.ts';

/** The verdict on one frame, before anybody asks whether it came before. */
export type Verdict =
  | { readonly kind: 'ignore'; readonly reason: string }
  | { readonly kind: 'refuse'; readonly reason: string; readonly authError: boolean }
  | { readonly kind: 'wrongTime'; readonly reason: string }
  | { readonly kind: 'null'; readonly authError?: string }
  | {
      readonly kind: 'events';
      readonly events: readonly Dc09Event[];
      readonly authError?: string;
      /** The data names no event: why the frame is delivered as an unknown one. */
      readonly unreadable?: string;
    };

export type Arrival = Extract<LinkInput, { type: 'frame' }>;

/** ANSI/SIA DC-09 5.5.1 and 5.5.2, question by question. */
export function judge(arrival: Arrival, sealing: Sealing): Verdict {
  const { message, setting, lengthOk } = arrival;
  const { token, encrypted } = message.head;
  if (ANSWER_TOKENS.includes(token)) return { kind: 'ignore', reason: `${token} is the word of a receiver` };
  if (token !== 'NULL' && !EVENT_TOKENS.includes(token)) {
    return refuse(`token ${token} is not spoken here`);
  }
  const { lengthPolicy } = setting.profile;
  if (!lengthOk && lengthPolicy === 'reject') return { kind: 'ignore', reason: 'the length is wrong' };

  const opened = open(arrival, sealing);
  if ('kind' in opened) return opened;
  const { content } = opened;
  if (!isInTime(content, arrival)) {
    return {
      kind: 'wrongTime',
      reason: `the time of the frame is ${isoOf(content.timeMs)}, ours ${isoOf(arrival.wallMs)}`,
    };
  }
  const key = refusedXdata(content);
  if (key !== undefined) return refuse(`extended data ${key.id} is refused`);

  // Chosen: a wrongly set panel must not fall silent, so a plain frame is taken although there is a key.
  const plain = !encrypted && setting.key !== undefined;
  const authError = plain && { authError: 'a plain frame of an account that has a key' };
  if (token === 'NULL') return { kind: 'null', ...authError };
  const warnings = [
    ...(lengthOk || lengthPolicy === 'ignore' ? [] : ['length']),
    ...(plain ? ['unencrypted'] : []),
    ...(message.head.sequence === NO_SEQUENCE ? ['noSequence'] : []),
    ...(message.head.isOdd === true ? ['head'] : []),
  ];
  const events = eventsOf(message, content, warnings);
  if (events.ok) return { kind: 'events', events: events.value, ...authError };
  const { reason } = events.error;
  if (setting.deliverUnreadable !== true) return refuse(reason);
  // Chosen: an alarm that can be read in part is delivered in part. The frame is sound and its account known, so a person
  // may need help; a DUH helps only where the panel has another receiver.
  const event = unreadableEvent(message, content, warnings);
  return { kind: 'events', events: [event], unreadable: reason, ...authError };
}

function open(
  { message: { head, body }, setting }: Arrival,
  { aes }: Sealing,
): Verdict | { readonly content: Dc09Content } {
  if (!head.encrypted) {
    if (setting.key !== undefined && setting.encryptionRequired === true) {
      return refuse('a plain frame of an account that must encrypt', true);
    }
    return { content: decodeContent(body) };
  }
  if (setting.key === undefined) return refuse('an encrypted frame of an account without a key', true);
  const content = openContent(body, { key: setting.key, withData: head.token !== 'NULL' }, aes);
  if (content.ok) return { content: content.value };
  return refuse(content.error.reason, content.error.code === 'WrongKey');
}

/** The time of an encrypted frame proves that it is no recording; a plain one proves nothing and may have none. */
function isInTime({ timeMs }: Dc09Content, { message: { head }, setting, wallMs }: Arrival): boolean {
  if (!head.encrypted && (setting.profile.timeWindowUnencrypted === 'off' || timeMs === null)) return true;
  const { ahead, behind } = setting.timeWindowS ?? setting.profile.timeWindowS;
  const offsetMs = (timeMs ?? 0) - wallMs;
  return offsetMs <= ahead * 1000 && offsetMs >= -behind * 1000;
}

const isoOf = (timeMs: number | null): string =>
  timeMs === null ? 'missing' : new Date(timeMs).toISOString();

const refuse = (reason: string, authError = false): Verdict => ({ kind: 'refuse', reason, authError });
