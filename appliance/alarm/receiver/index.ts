export {
  type Admission,
  AlarmReceiver,
  type Carrier,
  type DeviceClue,
  type FoundDevice,
  type FrameBridge,
  isAlarmDevice,
  isSchemeType,
  protocolFor,
  type ReceiverBridge,
} from './receiver.ts';
export type { SiteVoice } from './session-setting.ts';
