/** Public face of what the appliance tries of itself. */
export { SelfCalls } from './self-call-desk.ts';
export { TestAlarms } from './test-alarm-desk.ts';
export { TestSendings } from './test-sending-desk.ts';
