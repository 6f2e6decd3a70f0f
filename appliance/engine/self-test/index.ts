/** Public face of what the appliance tries of itself. */
export { SelfCalls } from './self-calls.ts';
export { TestAlarms } from './test-alarms.ts';
export { TestSendings } from './test-sendings.ts';
