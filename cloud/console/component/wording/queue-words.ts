import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';

const STATES: Readonly<Record<string, MessageDescriptor>> = {
  waiting: msg`waits`,
  taken: msg`taken`,
  released: msg`given back, waits again`,
  closed: msg`closed`,
};

const CALLS: Readonly<Record<string, MessageDescriptor>> = {
  none: msg`no call`,
  ringing: msg`the telephone of the person rings`,
  talking: msg`in a call`,
  ended: msg`the session is over at the host; call the person yourself`,
};

const COMMANDS: Readonly<Record<string, MessageDescriptor>> = {
  switchToDuplex: msg`Talk`,
  listen: msg`Listen`,
  speak: msg`Speak`,
  volumeUp: msg`Louder`,
  volumeDown: msg`Quieter`,
  releaseDoorLock1: msg`Open the door`,
};

const OTHER = msg`other`;

export const queueStateWords = (state: string): MessageDescriptor => STATES[state] ?? OTHER;
export const queueCallWords = (call: string): MessageDescriptor => CALLS[call] ?? OTHER;
export const queueCommandWords = (command: string): MessageDescriptor => COMMANDS[command] ?? OTHER;

const REASONS: Readonly<Record<string, MessageDescriptor>> = {
  'its longest time is over': msg`its longest time is over`,
  'the person who had taken the alarm has left': msg`the person who had taken the alarm has left`,
  'the person who had taken the alarm has given it back': msg`the person who had taken the alarm has given it back`,
  'no person has accepted in one round': msg`no person has accepted in one round`,
  'no person has answered': msg`no person has answered`,
  'no application has decided, and no destination is there': msg`no application has decided, and no destination is there`,
  'its destination was not reached': msg`its destination was not reached`,
};
const IN_ROUNDS = /^no person has accepted in (\d+) rounds$/;

/** Why an alarm waits for a person; a reason that the console does not know stays as the host wrote it. */
export function queueReasonWords(reason: string): MessageDescriptor {
  const rounds = IN_ROUNDS.exec(reason)?.[1];
  if (rounds !== undefined) return msg`no person has accepted in ${rounds} rounds`;
  return REASONS[reason] ?? { id: reason, message: reason };
}

/** A word of the common event as people say it: `alarmManual` is "alarm manual". */
export const plainWord = (word: string): string =>
  word.replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase();

/** `0:07`, `12:30`, `1:02:03`: how long an alarm waits, with its seconds. */
export function waitText(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  const two = (value: number): string => String(value).padStart(2, '0');
  const minutes = Math.floor(seconds / 60);
  return minutes < 60
    ? `${minutes}:${two(seconds % 60)}`
    : `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(seconds % 60)}`;
}
