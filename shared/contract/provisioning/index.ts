export {
  type AlarmBridge,
  type AlarmBridgeResponse,
  alarmBridgeRequestSchema,
  alarmBridgeResponseSchema,
  type ReplicatedAlarmBridge,
  replicatedAlarmBridgeSchema,
} from './alarm-bridge.ts';
export * from './alarm-event-mapper.ts';
export * from './answer.ts';
export * from './api-key.ts';
export * from './api-token.ts';
export * from './cloud-sip-ua.ts';
export * from './competition.ts';
export * from './configuration.ts';
export type { Dc09Settings } from './dc09.ts';
export * from './device.ts';
export type { OverrideInAlarmEvent } from './device-setting.ts';
export {
  type EmergencyCallList,
  type EmergencyTestCall,
  emergencyCallListSchema,
  emergencyTestCallSchema,
} from './emergency/call-list.ts';
export {
  type CustomEventMap,
  eventMapTrialAnswerSchema,
  eventMapTrialSchema,
} from './event-map.ts';
export { isPathStep, PATH_STEP_REASON, SECRET_PLACEHOLDER } from './field.ts';
export { type JsonPatch, jsonPatchSchema, type Patch, patchSchema } from './json-patch.ts';

export { JSON_MOST_BYTES, JSON_MOST_DEPTH } from './limit.ts';

export { makerField } from './maker.ts';

export { MEDIA_CODECS } from './media.ts';
export * from './mediaservice.ts';
export * from './notification-settings.ts';
export {
  ALARM_PROTOCOLS,
  type AlarmProtocol,
  PROTOCOL_FAMILY,
  PROTOCOL_HINT,
  TARGET_FAMILY,
} from './protocol.ts';
export * from './protocol-profile.ts';
export * from './query.ts';
export { type Referrer, type RowReference, referencesOf, referrerSchema } from './reference.ts';
export type { RestAuthenticationEntry } from './rest-authentication.ts';
export { SCOPES, type Scope } from './scope.ts';
export {
  HASH_SALT,
  keepSecrets,
  mapSecrets,
  maskSecrets,
  SECRET_MEMBERS,
  type SecretResource,
} from './secret.ts';
export type { TargetEndpoint } from './target-endpoint.ts';
export * from './tenant.ts';
export type { ToneSettings } from './tone-settings.ts';
export * from './trunk.ts';
