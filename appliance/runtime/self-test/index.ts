/** Public face of what the appliance tries of itself. */
export { type FarEnd, SelfCallDesk } from './self-call-desk.ts';
export { TestAlarmDesk, type TestAlarmLook } from './test-alarm-desk.ts';
