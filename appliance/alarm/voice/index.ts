/** Public face of speech in alarms. */
export { AlarmVoice, type Commander, type CommandOutcome, type PeopleOnCall } from './alarm-voice.ts';
export { callEvent } from './call-event.ts';
export type { CallAudit, DeviceCall, DeviceCallHandler, DeviceCallUser } from './device-call.ts';
export { takeReceiverCalls } from './receiver-calls.ts';
export { asProvisioned } from './scheme-unit.ts';
export { ToneCalls } from './tone-calls.ts';
export { ToneCommander } from './tone-commander.ts';
export { phrasesOf } from './tone-phrase.ts';
export { calledSteps } from './tone-steps.ts';
export { TonesAsGiven } from './tones-as-given.ts';
