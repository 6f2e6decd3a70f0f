import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { noteText } from './note-words.ts';

/** The sentences by which a host says how a session ended. */
export const REASONS: Readonly<Record<string, MessageDescriptor>> = {
  'The application took the alarm': msg`The application took the alarm`,
  'A person cleared the alarm': msg`A person cleared the alarm`,
  'A person spoke with the device and cleared the call': msg`A person spoke with the device and cleared the call`,
  'The alarm was not handled; the device tries its next receiver': msg`The alarm was not handled; the device tries its next receiver`,
  'The device hung up before a person spoke with it': msg`The device hung up before a person spoke with it`,
  'The device hung up after a person spoke with it': msg`The device hung up after a person spoke with it`,
  'No destination answered; the device was hung up without clear-down': msg`No destination answered; the device was hung up without clear-down`,
  'No person of the emergency list accepted the alarm; the device was not cleared': msg`No person of the emergency list accepted the alarm; the device was not cleared`,
  'The call of the device did not come': msg`The call of the device did not come`,
  'The device did not confirm the answer': msg`The device did not confirm the answer`,
  'The event could not be stored': msg`The event could not be stored`,
  'The program ended in the middle of the session': msg`The program ended in the middle of the session`,
  'The program of the host ended in the middle of the session': msg`The program of the host ended in the middle of the session`,
  'The receiver took the event': msg`The receiver took the event`,
  'No receiver took the event': msg`No receiver took the event`,
  'The application ended the session': msg`The application ended the session`,
  'The application dropped the call': msg`The application dropped the call`,
  'The called party did not answer': msg`The called party did not answer`,
  'The application gave no usable answer to the call': msg`The application gave no usable answer to the call`,
  'The application gave no usable answer to an event': msg`The application gave no usable answer to an event`,
  'The application gave no usable command': msg`The application gave no usable command`,
  'A defect ended the session': msg`A defect ended the session`,
  'The audio of the session was lost': msg`The audio of the session was lost`,
  'The audio of the session could not be agreed': msg`The audio of the session could not be agreed`,
  'No audio could be opened': msg`No audio could be opened`,
  'The application did not answer the call': msg`The application did not answer the call`,
  'The called party refused the call': msg`The called party refused the call`,
  'The message was taken': msg`The message was taken`,
  'The message was refused': msg`The message was refused`,
  'The message was not delivered': msg`The message was not delivered`,
  'The session ended': msg`The session ended`,
  'The speech ended': msg`The speech ended`,
  'The call ended before it was answered': msg`The call ended before it was answered`,
  'The call went on in another call': msg`The call went on in another call`,
  'The call was refused': msg`The call was refused`,
  'The call brought no alarm': msg`The call brought no alarm`,
  'The call ended': msg`The call ended`,
  'The call ended with an error': msg`The call ended with an error`,
  'No party answered the call': msg`No party answered the call`,
  'The call is part of an alarm, whose record goes on': msg`The call is part of an alarm, whose record goes on`,
};

/** A reason in the language of the person; a detail behind its sentence too, where the console knows it. */
export function reasonText(reason: string, say: (sentence: MessageDescriptor) => string): string {
  const end = reason.indexOf(': ');
  const known = REASONS[end < 0 ? reason : reason.slice(0, end)];
  if (known === undefined) return reason;
  return end < 0 ? say(known) : `${say(known)}: ${noteText(reason.slice(end + 2), say)}`;
}
