import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { choiceWordsOf } from '../../component/form/choice-words.ts';
import { factName } from '../../component/step/fact-name.ts';
import { valueWords } from '../../component/step/fact-value.ts';
import { noteText } from '../../component/step/note-words.ts';
import { toneLabel } from '../../component/trace/ladder.ts';
import { type Step, toneRow } from '../../component/trace/lane.ts';
import { eventWord } from '../../component/wording/event-words.ts';
import { decimal } from '../../component/wording/figure.ts';
import { RESULTS } from './record-words.ts';

/** A step by its kind, as a sentence about the side in whose lane it stands. */
export const STEP_WORDS: Readonly<Record<string, MessageDescriptor>> = {
  sipReceived: msg`Sent a SIP request`,
  frameReceived: msg`Sent a message by the network`,
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
  emergencyProgress: msg`People are called for the alarm`,
  furtherEnd: msg`End of the session at another host`,
  deviceCommand: msg`Command to the device`,
  sessionEnded: msg`Session ended`,
};

/** Steps of an error: they are marked. */
export const BAD_STEPS: ReadonlySet<string> = new Set([
  ...['notStored', 'callbackFailed', 'deviceUnreached', 'alarmRaised', 'alarmSendFailure'],
]);

/** Facts whose values are words of the common event. */
const OF_EVENT: ReadonlySet<string> = new Set([
  ...['deviceType', 'statusCode', 'location', 'systemConfig', 'deviceComponent'],
]);

/** Lists of windows: the curves draw them. */
const IN_CURVES: ReadonlySet<string> = new Set(['mediaMeasured', 'mediaEnded']);
const MOST_SIGNS = 240;

type Say = (sentence: MessageDescriptor) => string;

/** The content of a step on one line, without names that the heading says already. */
export function detailOf(step: Step, tones: readonly Step[], say: Say): string {
  if (tones.length > 0) return toneDetail(tones);
  const { kind, detail } = step;
  if (kind === 'tonePlayed') return toneLabel([step]);
  if (IN_CURVES.has(kind)) return String(detail.leg ?? '');
  if (typeof detail.text === 'string') return noteText(detail.text, say);
  const text = factsOf(kind, isServiceAlarm(step) ? { ...detail, type: undefined } : detail, say).join(' · ');
  return text.length > MOST_SIGNS ? `${text.slice(0, MOST_SIGNS)}…` : text;
}

/** Its error says what happened; its type says only that a person is needed. */
const isServiceAlarm = ({ kind, detail }: Step): boolean =>
  kind === 'alarmRaised' && detail.type === 'serviceAlarm' && typeof detail.error === 'string';

const BARE: ReadonlySet<string> = new Set([
  ...['method', 'uri', 'url', 'body', 'reason', 'command', 'name', 'destination', 'transport', 'source'],
  ...['deviceId', 'protocol', 'rule', 'outcome', 'status', 'step'],
]);

/** Facts that say nothing to a person: the id of a call stands in the ladder, and every event is a common one. */
const UNSAID: ReadonlySet<string> = new Set(['callId', 'eventType']);

/** The facts of a step, each in words; the members of an object are facts too. */
function factsOf(kind: string, detail: Readonly<Record<string, unknown>>, say: Say): string[] {
  return Object.entries(detail).flatMap(([name, value]) => {
    if (value === null || value === undefined || UNSAID.has(name)) return [];
    if (Array.isArray(value)) return listed(kind, name, value, say);
    if (typeof value === 'object') return factsOf(kind, value as Readonly<Record<string, unknown>>, say);
    const words = factOf(kind, name, value, say);
    return words === '' ? [] : [words];
  });
}

/** The elements of a list behind its name; of objects their facts. */
function listed(kind: string, name: string, values: readonly unknown[], say: Say): string[] {
  if (values.length === 0) return [];
  const each = values.map((value) =>
    typeof value === 'object' && value !== null
      ? factsOf(kind, value as Readonly<Record<string, unknown>>, say).join(' ')
      : String(value),
  );
  return [`${factName(name, say)} ${each.join(', ')}`];
}

function factOf(kind: string, name: string, value: unknown, say: Say): string {
  if (name === 'tookMs') return `${decimal(Number(value), 1)} ms`;
  const words =
    kind === 'furtherEnd' && name === 'result' ? resultWords(value, say) : valueWords(kind, name, value, say);
  if (words !== undefined) return words;
  if (value === false) return '';
  if (value === true) return factName(name, say);
  const text = String(value);
  if (BARE.has(name)) return text;
  if (OF_EVENT.has(name))
    return `${factName(name, say)} ${choiceWordsOf(name, say)[text] ?? eventWord(text, say)}`;
  const unit = UNITS.find(([end]) => name.endsWith(end));
  return unit === undefined
    ? `${factName(name, say)} ${text}`
    : `${factName(name.slice(0, -unit[0].length), say)} ${measured(value) ?? text} ${unit[1]}`;
}

/** A figure that was measured, with one digit behind the sign of decimals where it has any. */
const measured = (value: unknown): string | undefined =>
  typeof value === 'number' ? decimal(value, Number.isInteger(value) ? 0 : 1) : undefined;

function resultWords(result: unknown, say: Say): string | undefined {
  const words = Object.entries(RESULTS).find(([name]) => name === result)?.[1];
  return words === undefined ? undefined : say(words);
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
