/** Public face of the runtime contracts: what an application asks of a running alarm (runtime API document 4). */
export {
  type DeviceCommandRequest,
  deviceCommandSchema,
  type HangupAlarmCallRequest,
  hangupAlarmCallSchema,
} from './device-command.ts';
