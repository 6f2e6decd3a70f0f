export { NetworkAlarm, type NetworkAlarmPorts } from './network-alarm.ts';
export { NetworkChanges, type NetworkChangesPorts } from './network-changes.ts';
export { type AskedNetwork, networkStep } from './network-request.ts';
export { initialProof, stepProof } from './session-proof.ts';
