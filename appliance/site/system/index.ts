export {
  CertificateRenewal,
  type CertificateRenewalPorts,
  type HeldCertificate,
  type RenewalOutcome,
} from './certificate-renewal.ts';
export { batchClock, clockAtStart, noteBoot, offsetOf, stepClock, unknownClock } from './clock.ts';
export { DiskSpace, type DiskSpacePorts } from './disk-space.ts';
export { HostTime, type HostTimePorts } from './host-time.ts';
export { NetworkAlarm, type NetworkAlarmPorts } from './network-alarm.ts';
export { NetworkChanges, type NetworkChangesPorts } from './network-changes.ts';
export { type AskedNetwork, longestChain, networkStep } from './network-request.ts';
export {
  type FetchLimit,
  ReleaseFetch,
  type ReleaseFetchPorts,
  type ReleaseFolder,
} from './release-fetch.ts';
export { nextRenewalMs } from './renewal.ts';
export { initialProof, stepProof } from './session-proof.ts';
