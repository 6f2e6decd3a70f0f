import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { causeOf, knownCause } from '../../component/wording/incident-words.ts';
import { readable } from '../../component/wording/readable.ts';

/** Events of hosts that are no platform alarm, by their type. */
const EVENTS: Readonly<Record<string, MessageDescriptor>> = {
  alarmQueued: msg`An alarm waits in the alarm queue`,
  commissionChecks: msg`A host made the checks of its commissioning`,
  drainProgress: msg`The drain of a host moved on`,
  overrides: msg`Local overrides of a host changed`,
  siteRole: msg`A host has another role at its site`,
};

/** Reasons why a configuration or a device needs a person, where no platform alarm has their name. */
const REASONS: Readonly<Record<string, MessageDescriptor>> = {
  alarmNotSent: msg`An alarm could not be sent on`,
  analogueVoiceNumberMissing: msg`The receiver has no number for the speech of analogue devices`,
  auditRecordingFailed: msg`A call is not recorded, or not all of it`,
  callListTestFailed: msg`The test of a call list failed`,
  callLost: msg`A call was lost`,
  dc09Rejected: msg`A message by DC-09 was refused`,
  dc09Unreadable: msg`A message by DC-09 could not be read`,
  destinationUnreached: msg`A destination was not reached`,
  digestFallback: msg`A device is offered MD5 alone for a day`,
  emergencyCallListInvalid: msg`The call list for emergencies is not valid`,
  emergencyDestinationMissing: msg`No destination for emergencies is set`,
  emergencyUnanswered: msg`No person answered an emergency`,
  mappingRulesFailed: msg`The rules of an event map were not applied`,
  noReceiver: msg`No receiver takes the alarm`,
  possibleRepeats: msg`Alarms came that may be repeats`,
  scaipRejected: msg`A message by SCAIP was refused`,
  storeFailed: msg`An event could not be stored`,
  unknownUnitFlood: msg`Many unknown units send events`,
  voiceCallMissing: msg`The voice call of a device did not come`,
  voiceFromOtherAddress: msg`The voice call came from another address than the alarm`,
};

/** A name as the API spells it, and no sentence. */
const NAME = /^[a-z][A-Za-z0-9]*$/;

/** An event in words. */
export interface EventTitle {
  /** Undefined: an event of a later release. */
  readonly title: MessageDescriptor | undefined;
  /** Its error, where the title does not say it; one of a later release by its name, readable. */
  readonly error: MessageDescriptor | undefined;
}

/** The words of a host about an event: its error, and the facts of it. */
type Said = Readonly<Record<string, unknown>>;

/** The sentence of the error goes before that of the type. */
export function eventTitle(type: string, { error, errorDetails }: Said): EventTitle {
  if (typeof error !== 'string') return { title: knownCause(type) ?? EVENTS[type], error: undefined };
  const cause = knownCause(causeOf({ error, errorDetails: (errorDetails ?? {}) as Said }));
  if (cause !== undefined) return { title: cause, error: undefined };
  return {
    title: knownCause(type) ?? EVENTS[type],
    error: NAME.test(error) && error !== type ? errorWords(error) : undefined,
  };
}

function errorWords(error: string): MessageDescriptor {
  const name = readable(error);
  return REASONS[error] ?? { id: name, message: name };
}
