export {
  type AnswerFailure,
  alarmAction,
  type DeliveryVerdict,
  deliveryVerdict,
  type NamedPeople,
  namedPeople,
} from './answer.ts';
export type { CallbackCall, CallbackTarget, ChainOutcome, Delivery, RestAuthentication } from './call.ts';
export {
  type CallbackPorts,
  type Caller,
  type CallerPorts,
  createCaller,
  type OutgoingPost,
} from './caller.ts';
export type { CallbackClaims } from './claim.ts';
export {
  type AlarmDetails,
  type MapEvent,
  type MappedEvent,
  type NewAlarm,
  newAlarmbridgeEvent,
  newAlarmCall,
} from './new-alarm.ts';
export { type AlarmHead, callbackFailedAlarm, platformAlarmCall } from './platform-alarm.ts';
export { makeReplyId, type ReplyClaims, readReplyId, type SignEdDsa, type VerifyEdDsa } from './reply-id.ts';
export { readStoredCall, storeCall } from './stored-call.ts';
