import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { AUTH_TYPES } from '../wording/auth-type-words.ts';
import { knownCause, knownServiceError } from '../wording/incident-words.ts';
import { protocolName } from '../wording/protocol-name.ts';
import { knownCommand } from '../wording/queue-words.ts';
import { noteText } from './note-words.ts';
import { OUTCOMES } from './outcome-words.ts';
import { reasonText } from './reason-words.ts';

type Words = Readonly<Record<string, MessageDescriptor>>;
type Say = (sentence: MessageDescriptor) => string;

const SPEECH: Words = {
  duplex: msg({ context: 'speech', message: 'speech in both directions' }),
  simplex: msg({ context: 'speech', message: 'speech in one direction at a time' }),
  listen: msg({ context: 'speech', message: 'listen only' }),
  speak: msg({ context: 'speech', message: 'speak only' }),
  none: msg({ context: 'speech', message: 'no speech' }),
};

const TONES: Words = {
  inaudio: msg({ context: 'tones', message: 'tones in the audio' }),
  '2833': msg({ context: 'tones', message: 'tones as RTP events' }),
};

/** The words of values that are a closed list, by the kind of the step and the fact, or by the fact alone. They say what the fact is. */
const VALUES: Readonly<Record<string, Words>> = {
  audio: SPEECH,
  direction: SPEECH,
  outcome: OUTCOMES,
  saidAs: TONES,
  'toneHeard.source': TONES,
  'callbackSent.attempt': { 0: msg`from the outbox of the host` },
  known: { false: msg`not provisioned` },
  authType: AUTH_TYPES,
  by: {
    receiver: msg`asked by the receiver`,
    application: msg`asked by the application`,
    device: msg`asked by the device`,
  },
  protocol: {
    voicecall: msg({ context: 'protocol', message: 'voice call' }),
    callback: msg({ context: 'protocol', message: 'callback' }),
  },
  way: {
    primary: msg({ context: 'route', message: 'first address' }),
    backup: msg({ context: 'route', message: 'backup address' }),
  },
  warning: {
    noAnswer: msg({ context: 'warning', message: 'no answer' }),
    busy: msg({ context: 'warning', message: 'busy' }),
    rejected: msg({ context: 'warning', message: 'refused' }),
    protocolError: msg({ context: 'warning', message: 'fault of the protocol' }),
    authFailed: msg({ context: 'warning', message: 'not authenticated' }),
    noRoute: msg({ context: 'warning', message: 'cannot be reached' }),
    timeout: msg({ context: 'warning', message: 'time is over' }),
    notExpressible: msg({ context: 'warning', message: 'cannot be expressed in this protocol' }),
  },
  'eventUnderstood.kind': {
    first: msg`first event of the session`,
    further: msg`further event of the session`,
    cleared: msg`the device takes its alarm back`,
  },
  'decided.kind': {
    noVoice: msg`no call`,
    predefined: msg`the device calls its own destination`,
    emergency: msg`the device is joined with the emergency destination`,
    callback: msg`the host calls the device`,
    notHandled: msg`not taken: the device tries its next receiver`,
  },
  'handshake.result': {
    first: msg`understood at once`,
    retried: msg`understood after repeats`,
    failed: msg({ context: 'handshake', message: 'no alarm understood' }),
  },
  'streamed.event': {
    STREAMSTARTED: msg({ context: 'stream', message: 'started' }),
    STREAMSTOPPED: msg({ context: 'stream', message: 'stopped' }),
    STREAMFAILED: msg({ context: 'stream', message: 'broke off' }),
  },
  step: {
    roundStarted: msg({ context: 'call list', message: 'the list begins' }),
    ringing: msg({ context: 'call list', message: 'rings' }),
    answered: msg({ context: 'call list', message: 'has answered' }),
    machine: msg({ context: 'call list', message: 'probably an answering machine' }),
    refused: msg({ context: 'call list', message: 'has refused' }),
    notReached: msg({ context: 'call list', message: 'not reached' }),
    notAccepted: msg({ context: 'call list', message: 'has not accepted' }),
    taken: msg({ context: 'call list', message: 'another person was faster' }),
    accepted: msg({ context: 'call list', message: 'has accepted the alarm' }),
    left: msg({ context: 'call list', message: 'has left' }),
    lost: msg({ context: 'call list', message: 'the line was lost' }),
    deviceJoined: msg({ context: 'call list', message: 'the device is on the line' }),
    deviceLeft: msg({ context: 'call list', message: 'the device has left its call' }),
    doorRefused: msg({ context: 'call list', message: 'the door was not opened' }),
    cleared: msg({ context: 'call list', message: 'has cleared the alarm' }),
    paused: msg({ context: 'call list', message: 'pause' }),
    stopped: msg({ context: 'call list', message: 'the list was stopped' }),
    unanswered: msg({ context: 'call list', message: 'no person has accepted' }),
    queued: msg({ context: 'call list', message: 'waits in the alarm queue' }),
  },
};

const MATCHED = /^destinationMatch (.+)$/s;

/**
 * The value of a fact in words that need no name beside them; undefined: it is an address, an id, a figure, or a word of a later
 * host.
 */
export function valueWords(kind: string, fact: string, value: unknown, say: Say): string | undefined {
  const text = String(value);
  const words = wordsIn(`${kind}.${fact}`, text) ?? wordsIn(fact, text);
  if (words !== undefined) return say(words);
  switch (fact) {
    case 'protocol':
      return protocolName(text);
    case 'outcome':
      return noteText(text, say);
    case 'reason':
      return reasonText(noteText(text, say), say);
    case 'command':
      return said(knownCommand(text), say);
    case 'type':
      return kind === 'alarmRaised' ? said(knownCause(text), say) : undefined;
    case 'error':
      return said(knownServiceError(text) ?? knownCause(text), say);
    case 'rule': {
      const pattern = MATCHED.exec(text)?.[1];
      return pattern === undefined ? undefined : say(msg`destination match ${pattern}`);
    }
  }
  return undefined;
}

function wordsIn(table: string, value: string): MessageDescriptor | undefined {
  const words = Object.hasOwn(VALUES, table) ? VALUES[table] : undefined;
  return words !== undefined && Object.hasOwn(words, value) ? words[value] : undefined;
}

const said = (words: MessageDescriptor | undefined, say: Say): string | undefined =>
  words === undefined ? undefined : say(words);
