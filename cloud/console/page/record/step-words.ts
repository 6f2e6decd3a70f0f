import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { toneLabel } from '../../component/trace/ladder.ts';
import { type Step, toneRow } from '../../component/trace/lane.ts';
import { decimal } from '../../component/wording/figure.ts';
import { plainWord } from '../../component/wording/queue-words.ts';

/** A step by its kind, as a sentence about the side in whose lane it stands. */
export const STEP_WORDS: Readonly<Record<string, MessageDescriptor>> = {
  sipReceived: msg`Sent a SIP request`,
  sipAnswered: msg`SIP answer sent`,
  deviceIdentified: msg`Knows the device`,
  receiverMatched: msg`Picked the alarm receiver`,
  eventUnderstood: msg`Understood the event`,
  stored: msg`On disk: it cannot be lost from here`,
  notStored: msg`Not stored: nothing was acknowledged`,
  callbackSent: msg`Callback sent`,
  callbackAnswered: msg`Answered the callback`,
  callbackFailed: msg`Did not accept the callback`,
  decided: msg`Decided`,
  deviceAnswered: msg`Acknowledge sent to the device`,
  deviceConfirmed: msg`Confirmed the acknowledge`,
  deviceUnreached: msg`Gave no answer: it is off, or its line is down`,
  alarmRaised: msg`Raised an incident`,
  alarmSending: msg`Alarm on its way to a receiver`,
  alarmQueued: msg`Alarm waits to be sent`,
  alarmSent: msg`Alarm taken by the receiver`,
  alarmSendFailure: msg`Alarm not taken by the receiver`,
  note: msg`Note`,
  toneHeard: msg`Said in tones`,
  tonePlayed: msg`Tones played`,
  handshake: msg`Conversation in tones judged`,
  mediaMeasured: msg`Audio measured`,
  mediaEnded: msg`Audio ended`,
  voiceJoining: msg`Calls a person for the alarm`,
  voiceJoined: msg`Both hear each other`,
  recorded: msg`Recording begun`,
  promptPlayed: msg`Prompt played`,
  streamed: msg`Stream to a program`,
  deviceCommand: msg`Command to the device`,
  sessionEnded: msg`Session ended`,
};

/** Steps of an error: they are marked. */
export const BAD_STEPS: ReadonlySet<string> = new Set([
  ...['notStored', 'callbackFailed', 'deviceUnreached', 'alarmRaised', 'alarmSendFailure'],
]);

/** Lists of windows: the curves draw them. */
const IN_CURVES: ReadonlySet<string> = new Set(['mediaMeasured', 'mediaEnded']);
const MOST_SIGNS = 240;

/** The content of a step on one line, without names that the heading says already. */
export function detailOf(step: Step, tones: readonly Step[] = []): string {
  if (tones.length > 0) return toneDetail(tones);
  const { kind, detail } = step;
  if (kind === 'tonePlayed') return toneLabel([step]);
  if (IN_CURVES.has(kind)) return String(detail.leg ?? '');
  if (typeof detail.text === 'string') return detail.text;
  const text = Object.entries(detail)
    .filter(([name, value]) => value !== null && value !== undefined && value !== false && name !== 'callId')
    .map(([name, value]) => (name === 'tookMs' ? `${decimal(Number(value), 1)} ms` : wordOf(name, value)))
    .join(' · ');
  return text.length > MOST_SIGNS ? `${text.slice(0, MOST_SIGNS)}…` : text;
}

const BARE: ReadonlySet<string> = new Set([
  ...['method', 'uri', 'url', 'body', 'reason', 'command', 'name', 'destination', 'transport', 'source'],
  ...['deviceId', 'protocol', 'rule', 'outcome', 'status'],
]);

function wordOf(name: string, value: unknown): string {
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  if (BARE.has(name)) return text;
  const unit = UNITS.find(([end]) => name.endsWith(end));
  return unit === undefined
    ? `${plainWord(name)} ${text}`
    : `${plainWord(name.slice(0, -unit[0].length))} ${text} ${unit[1]}`;
}

/** Ends of the names of figures, and the unit that each stands for. */
const UNITS = [
  ['Dbm0', 'dBm0'],
  ['Db', 'dB'],
  ['Ms', 'ms'],
] as const;

function toneDetail(tones: readonly Step[]): string {
  const { text, levels, twist } = toneRow(tones);
  const level = levels === undefined ? '' : ` · ${levels.map((each) => decimal(each, 1)).join(' … ')} dBm0`;
  return `${text}${level}${twist === undefined ? '' : ` · ${decimal(twist, 1)} dB`}`;
}
