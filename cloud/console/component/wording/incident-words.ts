import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';

/** Platform alarms as sentences, by the name of their error. */
const CAUSES: Readonly<Record<string, MessageDescriptor>> = {
  noHeartbeatReply: msg`A host does not answer`,
  serviceStartFailed: msg`A service of a host did not start`,
  serviceFailure: msg`A service of a host stopped working`,
  lowMemory: msg`A host has little memory left`,
  diskPressure: msg`The disk of a host fills up`,
  clockUnsynchronised: msg`The clock of a host has no time source`,
  certificateExpiring: msg`A certificate ends soon`,
  configRejected: msg`A host refused a configuration`,
  drainBlocked: msg`A drain cannot go on`,
  duplicateIdentity: msg`Two machines use the identity of one host`,
  destinationDown: msg`A supervised destination does not answer`,
  deviceHeartbeat: msg`A supervised device is overdue`,
  callbackFailed: msg`An application did not accept a callback`,
  credentialUnusable: msg`A credential of callbacks cannot be used`,
  storageDamaged: msg`A file of a host is damaged`,
  authError: msg`A device failed to authenticate`,
  unknownDevice: msg`An event came from an unknown device`,
  unknownHost: msg`An unknown host tried to connect`,
  serviceAlarm: msg`A configuration or a device needs a person`,
  newCallEventError: msg`An application did not say what to do with a call`,
  callEventError: msg`An application gave no valid answer to an event of a call`,
  ivrCommandError: msg`A command of a media service failed`,
  callError: msg`A call of a media service failed`,
  sessionError: msg`A media service ended a session itself`,
  emergencyFallback: msg`The emergency destination of a media service was called`,
};
const OTHER = msg`A platform alarm was raised`;

/** A sentence for the cause of an incident; undefined: no platform alarm has this name. */
export const knownCause = (error: string): MessageDescriptor | undefined => CAUSES[error];

/** A sentence for the cause of an incident; an error of a later release is a platform alarm in general. */
export const causeWords = (error: string): MessageDescriptor => CAUSES[error] ?? OTHER;

/** Reasons why a configuration or a device needs a person, where no platform alarm has their name. */
const SERVICE_ERRORS: Readonly<Record<string, MessageDescriptor>> = {
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

/** The reason of a `serviceAlarm` in words; undefined: none has this name. */
export const knownServiceError = (error: string): MessageDescriptor | undefined => SERVICE_ERRORS[error];

/** As hosts name the service whose callbacks an application refuses (`cb` and its id). */
const CALLBACK = /^cb /;

/**
 * The error by which an incident is named: hosts raise `serviceFailure` for an application that refuses callbacks, too, where no service
 * of the host has stopped.
 */
export const causeOf = (incident: {
  readonly error: string;
  readonly errorDetails: Readonly<Record<string, unknown>>;
}): string =>
  incident.error === 'serviceFailure' && CALLBACK.test(String(incident.errorDetails.service))
    ? 'callbackFailed'
    : incident.error;

const MEDIA = new Set([
  'newCallEventError',
  'callEventError',
  'ivrCommandError',
  'callError',
  'sessionError',
  'emergencyFallback',
]);

/** The runbook of an error: alarms of media services share one. */
export const runbookOf = (error: string): string => (MEDIA.has(error) ? 'mediaService' : error);

const STATES = {
  active: msg`Open`,
  acknowledged: msg`Acknowledged`,
  cleared: msg`Cleared`,
} as const;

export const stateWords = (state: keyof typeof STATES): MessageDescriptor => STATES[state];
