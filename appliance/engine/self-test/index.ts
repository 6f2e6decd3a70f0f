/** Public face of what the appliance tries of itself. */
export { SelfCallDesk } from './self-call-desk.ts';
export { TestAlarmDesk } from './test-alarm-desk.ts';
export { TestSendingDesk } from './test-sending-desk.ts';
