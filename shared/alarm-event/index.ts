export type { AlarmEvent, CodedValue, SourceAlarmEvent } from './alarm-event.ts';
export { isAlarmState } from './alarm-state.ts';
export {
  type Bs8521DeviceCommand,
  bs8521CommandFor,
  bs8521DeviceCommand,
} from './bs8521-command.ts';
export {
  type Bs8521Fields,
  bs8521Alarm,
  bs8521Table,
  bs8521Warnings,
  decodeBs8521,
  encodeBs8521,
  isBs8521Alarm,
  isBs8521Group,
  isBs8521Withdrawal,
} from './bs8521-digits.ts';
export { BS8521_EVENTS } from './bs8521-event.codes.ts';
export { forwardedBs8521 } from './bs8521-forward.ts';
export { BS8521_LOCATIONS } from './bs8521-location.codes.ts';
export {
  leftWaiting,
  nextWaiting,
  selectWaiting,
  type WaitingCall,
} from './bs8521-queue.ts';
export { type Bs8521SendSetting, bs8521Fields } from './bs8521-send.ts';
export { BS8521_STATUSES } from './bs8521-status.codes.ts';
export { type CodeRow, type CodeTable, codeTable } from './code-table.ts';
export {
  type ContactIdMessage,
  contactIdAlarm,
  contactIdTable,
  contactIdWarnings,
} from './contact-id.ts';
export { CONTACT_ID_EVENTS } from './contact-id-event.codes.ts';
export { DEVICE_COMMANDS, type DeviceCommand } from './device-command.ts';
export { type CodedEvent, type EventRow, type EventTable, eventTable, wordsIn } from './event-table.ts';
export { LIFT_AUDIO_UNITS } from './lift-audio-unit.codes.ts';
export { CPC_EVENTS, type CpcRow } from './lift-cpc.codes.ts';
export { type LiftRow, P100_EVENTS } from './lift-p100.codes.ts';
export { ownCodeTable, ownEventTable } from './own-table.ts';
export { RECEIVE_LIST } from './receive-list.codes.ts';
export { type ReceivedAlarmEvent, receivedForm } from './received-form.ts';
export { SCAIP_COMPONENTS } from './scaip-dco.codes.ts';
export { SCAIP_DEVICE_TYPES } from './scaip-dty.codes.ts';
export { SCAIP_LOCATIONS } from './scaip-lco.codes.ts';
export { SCAIP_STATUS_CODES } from './scaip-stc.codes.ts';
export { scaipTable } from './scaip-table.ts';
export { codedFrom, type SendForm, sendForm } from './send-form.ts';
export { SEND_LIST } from './send-list.codes.ts';
export { SIA_EVENTS } from './sia-event.codes.ts';
export {
  isReceiveValue,
  isSendValue,
  type ListField,
  type ReceiveValue,
  receiveAs,
  type SendValue,
  sendAs,
} from './translation.ts';
export { TT_CALLS } from './tt-call.codes.ts';
