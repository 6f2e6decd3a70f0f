import type { z } from 'zod';
import {
  type AlarmBridge,
  type AlarmBridgeResponse,
  type AlarmEventMapper,
  type AlarmEventMapperResponse,
  alarmBridgeRequestSchema,
  alarmEventMapperRequestSchema,
  type CloudSipUa,
  type CloudSipUaResponse,
  cloudSipUaRequestSchema,
  type MediaService,
  type MediaServiceResponse,
  mediaServiceRequestSchema,
  type ProtocolProfile,
  protocolProfileRequestSchema,
  type RecordingService,
  type RecordingServiceResponse,
  recordingServiceRequestSchema,
  type Trunk,
  type TrunkResponse,
  trunkRequestSchema,
} from '#shared/contract/provisioning/index.ts';

/** Every resource that is one body under an id: what a caller asks to store, and what answers show. */
interface Bodies {
  readonly alarmBridge: { readonly asked: AlarmBridge; readonly shown: AlarmBridgeResponse };
  readonly alarmEventMapper: { readonly asked: AlarmEventMapper; readonly shown: AlarmEventMapperResponse };
  readonly cloudSipUa: { readonly asked: CloudSipUa; readonly shown: CloudSipUaResponse };
  readonly trunk: { readonly asked: Trunk; readonly shown: TrunkResponse };
  readonly mediaService: { readonly asked: MediaService; readonly shown: MediaServiceResponse };
  readonly recordingService: { readonly asked: RecordingService; readonly shown: RecordingServiceResponse };
  readonly protocolProfile: { readonly asked: ProtocolProfile; readonly shown: ProtocolProfile };
}

/** Names of tables and of lists of secrets as well. */
export type ResourceName = keyof Bodies;
export type Asked<Name extends ResourceName> = Bodies[Name]['asked'];
export type Shown<Name extends ResourceName> = Bodies[Name]['shown'];

export interface ResourceKind<Name extends ResourceName = ResourceName> {
  /** As the first word of the API's path spells it; also the entity in changes and audit. */
  readonly entity: string;
  /** In sentences. */
  readonly noun: string;
  readonly request: z.ZodType<Asked<Name>>;
  /** `name`: the id is the body's own name; else the service makes one. */
  readonly key: 'id' | 'name';
  /** The service makes a `callbackId` too. */
  readonly hasCallbackId: boolean;
  /** Answers also name the SIP address. */
  readonly isCalled: boolean;
}

const kind = { key: 'id', hasCallbackId: false, isCalled: false } as const;

/** In the order in which rows that others name come before those that name them. */
export const RESOURCE_KINDS: { readonly [Name in ResourceName]: ResourceKind<Name> } = {
  protocolProfile: {
    ...kind,
    entity: 'protocolprofile',
    noun: 'protocol profile',
    request: protocolProfileRequestSchema,
    key: 'name',
  },
  alarmEventMapper: {
    ...kind,
    entity: 'alarmeventmapper',
    noun: 'alarm event mapper',
    request: alarmEventMapperRequestSchema,
  },
  alarmBridge: {
    ...kind,
    entity: 'alarmbridge',
    noun: 'alarm bridge',
    request: alarmBridgeRequestSchema,
    hasCallbackId: true,
  },
  cloudSipUa: {
    ...kind,
    entity: 'cloudsipua',
    noun: 'cloud SIP user agent',
    request: cloudSipUaRequestSchema,
    hasCallbackId: true,
  },
  trunk: { ...kind, entity: 'trunk', noun: 'trunk', request: trunkRequestSchema },
  mediaService: {
    ...kind,
    entity: 'mediaservice',
    noun: 'media service',
    request: mediaServiceRequestSchema,
    isCalled: true,
  },
  recordingService: {
    ...kind,
    entity: 'callrecording',
    noun: 'recording service',
    request: recordingServiceRequestSchema,
    isCalled: true,
  },
};

export const RESOURCE_NAMES = Object.keys(RESOURCE_KINDS) as readonly ResourceName[];
