import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { plainWord } from '../wording/queue-words.ts';

/** Facts of a step by their names in a trace, without the unit at their end. */
const FACTS: Readonly<Record<string, MessageDescriptor>> = {
  account: msg({ context: 'fact', message: 'account' }),
  alarmBridgeId: msg({ context: 'fact', message: 'receiver' }),
  alarmString: msg({ context: 'fact', message: 'content' }),
  analogueVoiceNumber: msg({ context: 'fact', message: 'number for analogue devices' }),
  answer: msg({ context: 'fact', message: 'answer' }),
  answered: msg({ context: 'fact', message: 'answered' }),
  attempt: msg({ context: 'fact', message: 'attempt' }),
  audio: msg({ context: 'fact', message: 'audio' }),
  badStrings: msg({ context: 'fact', message: 'not understood' }),
  authType: msg({ context: 'fact', message: 'authentication' }),
  cause: msg({ context: 'fact', message: 'code' }),
  checkMethods: msg({ context: 'fact', message: 'check methods' }),
  codec: msg({ context: 'fact', message: 'codec' }),
  controllerId: msg({ context: 'fact', message: 'controller' }),
  counts: msg({ context: 'fact', message: 'the record of this host counts:' }),
  deviceComponent: msg({ context: 'fact', message: 'component' }),
  deviceType: msg({ context: 'fact', message: 'kind of device' }),
  digits: msg({ context: 'fact', message: 'digits' }),
  direction: msg({ context: 'fact', message: 'direction' }),
  early: msg({ context: 'fact', message: 'with audio before the answer' }),
  encrypted: msg({ context: 'fact', message: 'encrypted' }),
  error: msg({ context: 'fact', message: 'error' }),
  event: msg({ context: 'fact', message: 'event' }),
  eventId: msg({ context: 'fact', message: 'event id' }),
  events: msg({ context: 'fact', message: 'digits as RTP events' }),
  fileName: msg({ context: 'fact', message: 'file' }),
  from: msg({ context: 'fact', message: 'from' }),
  isTest: msg({ context: 'fact', message: 'test call' }),
  kind: msg({ context: 'fact', message: 'kind' }),
  late: msg({ context: 'fact', message: 'late' }),
  leg: msg({ context: 'fact', message: 'call' }),
  level: msg({ context: 'fact', message: 'level' }),
  location: msg({ context: 'fact', message: 'place' }),
  minutes: msg({ context: 'fact', message: 'minutes' }),
  noise: msg({ context: 'fact', message: 'noise' }),
  priority: msg({ context: 'fact', message: 'priority' }),
  ref: msg({ context: 'fact', message: 'reference' }),
  requests: msg({ context: 'fact', message: 'requests' }),
  result: msg({ context: 'fact', message: 'result' }),
  round: msg({ context: 'fact', message: 'round' }),
  saidAs: msg({ context: 'fact', message: 'own tones' }),
  sequence: msg({ context: 'fact', message: 'sequence' }),
  statusCode: msg({ context: 'fact', message: 'status' }),
  streamId: msg({ context: 'fact', message: 'stream' }),
  systemConfig: msg({ context: 'fact', message: 'system' }),
  throughBridge: msg({ context: 'fact', message: 'through the voice bridge' }),
  token: msg({ context: 'fact', message: 'kind of message' }),
  tones: msg({ context: 'fact', message: 'tones' }),
  transcribed: msg({ context: 'fact', message: 'with its words' }),
  trunkId: msg({ context: 'fact', message: 'trunk' }),
  twist: msg({ context: 'fact', message: 'difference of levels' }),
  type: msg({ context: 'fact', message: 'type' }),
  voiceBridge: msg({ context: 'fact', message: 'voice bridge' }),
  warning: msg({ context: 'fact', message: 'failure' }),
  way: msg({ context: 'fact', message: 'route' }),
};

/** The name of a fact in the language of the person; one that is not known stands as the trace spells it, in words. */
export function factName(fact: string, say: (sentence: MessageDescriptor) => string): string {
  const words = Object.hasOwn(FACTS, fact) ? FACTS[fact] : undefined;
  return words === undefined ? plainWord(fact) : say(words);
}
