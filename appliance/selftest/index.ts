export { keptRecord } from './kept-record.ts';
export type { SelfTestId, SelfTestPoint, SelfTestRecord } from './record.ts';
export { LOCAL_KEY_FILE, type RunningProbes } from './running.ts';
export { type SelfTestRun, selfTest } from './self-test.ts';
export { SelfTestRuns } from './self-test-runs.ts';
export { sipGateway } from './sip-probe.ts';
