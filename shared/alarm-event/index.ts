export type { AlarmEvent, CodedValue, SourceAlarmEvent } from './alarm-event.ts';
export { type CodeRow, type CodeTable, codeTable } from './code-table.ts';
export { DEVICE_COMMANDS, type DeviceCommand } from './device-command.ts';
export { RECEIVE_LIST } from './receive-list.codes.ts';
export { type ReceivedAlarmEvent, receivedForm } from './received-form.ts';
export { scaipTable } from './scaip-table.ts';
export { codedFrom, type SendForm, sendForm } from './send-form.ts';
export { SEND_LIST } from './send-list.codes.ts';
export {
  isReceiveValue,
  isSendValue,
  type ListField,
  type ReceiveValue,
  receiveAs,
  type SendValue,
  sendAs,
} from './translation.ts';
