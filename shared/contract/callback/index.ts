export { CALLBACK_PATH, DELIVERY_HEADER } from './delivery-header.ts';
export {
  ALARM_ACTIONS,
  type AlarmAction,
  type AlarmDecision,
  alarmDecisionSchema,
  type NewAlarmbridgeEvent,
  newAlarmbridgeEventSchema,
} from './new-alarmbridge-event.ts';
export {
  type PlatformAlarm,
  type PlatformAlarmType,
  platformAlarmSchema,
  SERVICE_ALARM_ERRORS,
  type ServiceAlarmError,
} from './platform-alarm.ts';
export { receivedAlarmEventSchema } from './received-event.ts';
export { type SipMessageReceived, sipMessageReceivedSchema } from './sip-message.ts';
