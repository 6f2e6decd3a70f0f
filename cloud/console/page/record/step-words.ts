import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { toneLabel } from '../../component/trace/ladder.ts';
import { type Step, toneRow } from '../../component/trace/lane.ts';
import { eventWord } from '../../component/wording/event-words.ts';
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

/** Facts of a step by their names in a trace, without the unit at their end; one that is not here stands as the trace spells it. */
const FACTS: Readonly<Record<string, MessageDescriptor>> = {
  account: msg({ context: 'fact', message: 'account' }),
  alarmBridgeId: msg({ context: 'fact', message: 'receiver' }),
  answered: msg({ context: 'fact', message: 'answered' }),
  attempt: msg({ context: 'fact', message: 'attempt' }),
  audio: msg({ context: 'fact', message: 'audio' }),
  badStrings: msg({ context: 'fact', message: 'not understood' }),
  authType: msg({ context: 'fact', message: 'authentication' }),
  codec: msg({ context: 'fact', message: 'codec' }),
  controllerId: msg({ context: 'fact', message: 'controller' }),
  deviceType: msg({ context: 'fact', message: 'kind of device' }),
  digits: msg({ context: 'fact', message: 'digits' }),
  direction: msg({ context: 'fact', message: 'direction' }),
  encrypted: msg({ context: 'fact', message: 'encrypted' }),
  error: msg({ context: 'fact', message: 'error' }),
  event: msg({ context: 'fact', message: 'event' }),
  eventId: msg({ context: 'fact', message: 'event id' }),
  eventType: msg({ context: 'fact', message: 'event' }),
  fileName: msg({ context: 'fact', message: 'file' }),
  from: msg({ context: 'fact', message: 'from' }),
  kind: msg({ context: 'fact', message: 'kind' }),
  late: msg({ context: 'fact', message: 'late' }),
  leg: msg({ context: 'fact', message: 'call' }),
  level: msg({ context: 'fact', message: 'level' }),
  location: msg({ context: 'fact', message: 'place' }),
  noise: msg({ context: 'fact', message: 'noise' }),
  priority: msg({ context: 'fact', message: 'priority' }),
  ref: msg({ context: 'fact', message: 'reference' }),
  requests: msg({ context: 'fact', message: 'requests' }),
  result: msg({ context: 'fact', message: 'result' }),
  round: msg({ context: 'fact', message: 'round' }),
  sequence: msg({ context: 'fact', message: 'sequence' }),
  statusCode: msg({ context: 'fact', message: 'status' }),
  streamId: msg({ context: 'fact', message: 'stream' }),
  systemConfig: msg({ context: 'fact', message: 'system' }),
  tones: msg({ context: 'fact', message: 'tones' }),
  transcribed: msg({ context: 'fact', message: 'with its words' }),
  trunkId: msg({ context: 'fact', message: 'trunk' }),
  twist: msg({ context: 'fact', message: 'difference of levels' }),
  type: msg({ context: 'fact', message: 'type' }),
};

/** Facts whose values are words of the common event. */
const OF_EVENT: ReadonlySet<string> = new Set(['deviceType', 'statusCode', 'location', 'systemConfig']);

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
  if (typeof detail.text === 'string') return detail.text;
  const text = Object.entries(detail)
    .filter(([name, value]) => value !== null && value !== undefined && value !== false && name !== 'callId')
    .map(([name, value]) =>
      name === 'tookMs' ? `${decimal(Number(value), 1)} ms` : factOf(name, value, say),
    )
    .join(' · ');
  return text.length > MOST_SIGNS ? `${text.slice(0, MOST_SIGNS)}…` : text;
}

const BARE: ReadonlySet<string> = new Set([
  ...['method', 'uri', 'url', 'body', 'reason', 'command', 'name', 'destination', 'transport', 'source'],
  ...['deviceId', 'protocol', 'rule', 'outcome', 'status'],
]);

function factOf(name: string, value: unknown, say: Say): string {
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  if (BARE.has(name)) return text;
  if (value === true) return nameOf(name, say);
  if (OF_EVENT.has(name)) return `${nameOf(name, say)} ${eventWord(text, say)}`;
  const unit = UNITS.find(([end]) => name.endsWith(end));
  return unit === undefined
    ? `${nameOf(name, say)} ${text}`
    : `${nameOf(name.slice(0, -unit[0].length), say)} ${text} ${unit[1]}`;
}

function nameOf(fact: string, say: Say): string {
  const words = FACTS[fact];
  return words === undefined ? plainWord(fact) : say(words);
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
