export { type Arc, type ArcOptions, type ArcRequest, startArc } from './io/arc.ts';
export { type ScaipOutcome, type ScaipRun, simulateScaip } from './io/scaip-run.ts';
export {
  type AlarmResult,
  DEVICE_HABIT,
  type DeviceHabit,
  ScaipDevices,
  type SimulatedAlarm,
} from './scaip-device.ts';
