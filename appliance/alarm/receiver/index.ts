export { calledInstead, callPlanOf, withoutPins } from './call-plan.ts';
export {
  type Admission,
  AlarmReceiver,
  type Carrier,
  type DeviceClue,
  type FoundDevice,
  isAlarmDevice,
  isSchemeType,
  protocolFor,
  provesItself,
} from './receiver.ts';
export type { FrameBridge, ReceiverBridge } from './receiver-bridge.ts';
export type { SiteVoice } from './session-setting.ts';
