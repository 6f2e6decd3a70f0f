export { call, connect, drop, enterIvr, refuse } from './decision.ts';
export { createFlow, type Flow, type Step } from './flow.ts';
export { ask, end, play, recordAfter, type SayOptions, say, silence, tone } from './ivr.ts';
