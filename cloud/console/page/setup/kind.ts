import type { OperationName } from '#shared/client/index.ts';

/** A kind of resource that is set up: its page, and its operations of the API by their names. */
export interface Kind {
  /** Name of its page in the address. */
  readonly page: string;
  /** Operations begin with a verb and this: `postProvisioningTrunk`. */
  readonly noun: string;
  /** The parameter of one resource: `trunkId`. */
  readonly id: string;
  /** The property of one in an answer; a list has an `s` more. */
  readonly member: string;
  /** It can be written as a draft, which no site knows until it is promoted. */
  readonly hasDraft: boolean;
  /** A destination is matched by its `destinationMatch`. */
  readonly hasPattern: boolean;
  /** Records name it as their receiver. */
  readonly hasRecords: boolean;
  /** Its name is its id: it has no other one, and is never renamed. */
  readonly isNamed?: true;
  /** Others name it; the operation `Referrer` lists them. */
  readonly isReferred?: true;
  /** The field with its event map. */
  readonly mapField?: string;
}

const provisioned = { hasDraft: true, hasPattern: true, hasRecords: true };

export const RECEIVER: Kind = {
  ...provisioned,
  page: 'bridge',
  noun: 'ProvisioningAlarmbridge',
  id: 'alarmBridgeId',
  member: 'alarmbridge',
  mapField: 'customEventMap',
};
export const SENDER: Kind = {
  ...provisioned,
  hasPattern: false,
  hasRecords: false,
  page: 'sender',
  noun: 'ProvisioningAlarmeventmapper',
  id: 'alarmEventMapperId',
  member: 'alarmeventmapper',
  isReferred: true,
  mapField: 'mappingRules',
};
export const USER_AGENT: Kind = {
  ...provisioned,
  page: 'user-agent',
  noun: 'ProvisioningCloudsipua',
  id: 'cloudSipUAId',
  member: 'cloudsipua',
};
export const TRUNK: Kind = {
  ...provisioned,
  hasPattern: false,
  hasRecords: false,
  page: 'trunk',
  noun: 'ProvisioningTrunk',
  id: 'trunkId',
  member: 'trunk',
};
export const MEDIA_SERVICE: Kind = {
  ...provisioned,
  hasDraft: false,
  page: 'media-service',
  noun: 'MediaserviceByDomain',
  id: 'mediaServiceId',
  member: 'mediaservice',
};
export const RECORDING_SERVICE: Kind = {
  ...provisioned,
  hasDraft: false,
  page: 'recording-service',
  noun: 'CallrecordingByDomain',
  id: 'recordingServiceId',
  member: 'callrecording',
};

export const PROFILE: Kind = {
  hasDraft: false,
  hasPattern: false,
  hasRecords: false,
  isNamed: true,
  isReferred: true,
  page: 'profile',
  noun: 'ProvisioningProtocolprofile',
  id: 'name',
  member: 'protocolprofile',
};

export const KINDS = [
  RECEIVER,
  SENDER,
  MEDIA_SERVICE,
  USER_AGENT,
  RECORDING_SERVICE,
  TRUNK,
  PROFILE,
] as const;

type Verb = 'get' | 'post' | 'put' | 'delete';

/** The operation of a verb: on all of the kind, on one of them, or on a part of one. */
export function operationOf({ noun, id }: Kind, verb: Verb, one: boolean, part = ''): OperationName {
  const by = `By${id.charAt(0).toUpperCase()}${id.slice(1)}`;
  return `${verb}${noun}${one ? by : ''}${part}` as OperationName;
}
