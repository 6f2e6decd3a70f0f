export {
  type AlarmResult,
  DEVICE_BEHAVIOUR,
  type DeviceBehaviour,
  ScaipDevices,
  type SimulatedAlarm,
} from './endpoint/scaip-device.ts';
export { type Line, type LineUser, Telephone } from './endpoint/telephone.ts';
export { TONE_PROTOCOLS, ToneUnit, type ToneUnitProtocol } from './endpoint/tone-unit.ts';
export { type Arc, type ArcOptions, type ArcRequest, startArc } from './io/arc.ts';
export { type Dc09Outcome, type Dc09Run, simulateDc09 } from './io/dc09-run.ts';
export {
  type LacsRun,
  type MessageOutcome,
  type NowIpRun,
  simulateLacs,
  simulateNowIp,
} from './io/message-run.ts';
export { type OpenTelephone, openTelephone, type TelephoneRun } from './io/open-telephone.ts';
export {
  CENTRE_ANSWERS,
  CENTRE_PROTOCOLS,
  openReceiver,
  type ReceiveRun,
  type RunningReceiver,
} from './io/receive-run.ts';
export { type ScaipOutcome, type ScaipRun, simulateScaip } from './io/scaip-run.ts';
export { type OpenPhone, openPhone, type Sayings, type SipOutcome, type SipRun } from './io/sip-run.ts';
export {
  type OpenRecordingClient,
  openRecordingClient,
  openRecordingServer,
  type RecordingClientRun,
  type RecordingServerRun,
  type RunningRecordingServer,
} from './io/siprec-run.ts';
export { type SwarmRun, type SwarmState, simulateSwarm } from './io/swarm-run.ts';
export { simulateTone, type ToneOutcome, type ToneRun } from './io/tone-run.ts';
