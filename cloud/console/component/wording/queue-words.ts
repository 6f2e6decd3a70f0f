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

/** Commands to a device, as buttons and as steps of a record say them. */
const COMMANDS: Readonly<Record<string, MessageDescriptor>> = {
  keepAlive: msg`Keep the call`,
  clearDown: msg`Clear and hang up`,
  listen: msg`Listen`,
  releaseDoorLock1: msg`Open the door`,
  releaseDoorLock2: msg`Open the second door`,
  releaseSafeLock: msg`Open the key safe`,
  resetSpeechSettings: msg`Reset the settings of speech`,
  selectSpeaker1: msg`Use loudspeaker 1`,
  selectSpeaker2: msg`Use loudspeaker 2`,
  sendTones: msg`Send tones`,
  setVolumeLevel1: msg`Volume 1`,
  setVolumeLevel2: msg`Volume 2`,
  setVolumeLevel3: msg`Volume 3`,
  speak: msg`Speak`,
  switchToDuplex: msg`Talk`,
  switchToSimplex: msg`Talk by turns`,
  volumeDown: msg`Quieter`,
  volumeUp: msg`Louder`,
};

/** The words of a command; undefined: one of a later release. */
export const knownCommand = (command: string): MessageDescriptor | undefined => COMMANDS[command];

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
