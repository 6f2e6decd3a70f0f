import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';

const KINDS: Readonly<Record<string, MessageDescriptor>> = {
  alarm: msg`Alarm`,
  alarmSent: msg`Alarm sent on`,
  call: msg`Call`,
  mediaService: msg`Call of a media service`,
  cloudUserAgent: msg`Call of a cloud user agent`,
  recording: msg`Recording session`,
  message: msg`Message`,
  attempt: msg`Refused attempts`,
};

const RESULTS: Readonly<Record<string, MessageDescriptor>> = {
  running: msg`in progress`,
  done: msg`done`,
  refused: msg`refused`,
  unanswered: msg`unanswered`,
  failed: msg`failed`,
  interrupted: msg`interrupted`,
};

const OTHER = msg`Session`;

/** Kind of a record, as a person names it. */
export const kindWords = (kind: string): MessageDescriptor => KINDS[kind] ?? OTHER;
export const resultWords = (result: string): MessageDescriptor => RESULTS[result] ?? OTHER;

/** Kinds of device and status of an event, in words; one that is not here stands as the API spells it, readable. */
export const readable = (word: string): string => {
  const spaced = word.replace(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase();
  return spaced.charAt(0).toUpperCase() + spaced.slice(1);
};
