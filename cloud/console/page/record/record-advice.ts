import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { type Entry, NEXT } from './record-words.ts';

/** Next step by what the reason of a call says; the first that fits. Hosts write reasons in English, whatever the language of the page. */
const BY_REASON: readonly (readonly [RegExp, MessageDescriptor])[] = [
  [
    /is not registered/,
    msg`The telephone that was called is not connected to a host. Check that it is switched on, and that it uses the password of its device.`,
  ],
  [
    /\b404\b/,
    msg`No device and no trunk takes this number. Check how it was dialled; a trunk whose prefix it begins with lets it leave.`,
  ],
  [
    /\b40[137]\b/,
    msg`The caller was not let in. Check its user name, its password and what its device may call.`,
  ],
  [/\b(?:486|600)\b/, msg`The called party was busy. Call again.`],
  [
    /\b(?:415|488)\b/,
    msg`Both sides have no codec or no encryption in common. Compare the codecs and SRTP of the device and the trunk.`,
  ],
];

const UNANSWERED_CALL = msg`No party answered. Check that the called telephone rings, and call again.`;
const VOICE_MISSING = msg`The device was asked to call and did not. Call it back, and check its line for speech.`;
const NOT_TAKEN = msg`The application did not take a callback of this session. Its answer stands under "Deliveries" below.`;

/** Advice to a person who reads how a session ended: first by what the application did, then by the reason. */
export function adviceOf({ kind, result, reason = '', deliveries }: Entry): readonly MessageDescriptor[] {
  const application = (deliveries?.failed ?? 0) > 0 ? [NOT_TAKEN] : [];
  const isCall = kind === 'call' || kind === 'mediaService' || kind === 'cloudUserAgent';
  if (isCall && (result === 'refused' || result === 'unanswered' || result === 'failed')) {
    const [, known] = BY_REASON.find(([pattern]) => pattern.test(reason)) ?? [];
    const next = known ?? (result === 'unanswered' ? UNANSWERED_CALL : NEXT[result]);
    return [...application, ...(next === undefined ? [] : [next])];
  }
  if (kind === 'alarm' && reason.startsWith('The call of the device did not come'))
    return [...application, VOICE_MISSING];
  const next = NEXT[result];
  return [...application, ...(next === undefined ? [] : [next])];
}
