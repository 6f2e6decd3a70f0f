export type { SelfTestId, SelfTestPoint, SelfTestRecord } from './record.ts';
export { type SelfTestRun, selfTest } from './self-test.ts';
