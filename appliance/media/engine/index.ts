/** Public face of the media engine: what one worker does. */
export {
  type CommandAnswer,
  type CommandName,
  commandsOver,
  type EngineCommand,
  type EngineCommands,
  perform,
} from './command.ts';
export { Engine } from './engine.ts';
export type { Leg } from './leg/leg.ts';
export { CALM_MS, type OverloadSetting, SURE_LEGS } from './load/overload.ts';
export type { LinkEnd, LinkId } from './packet/link.ts';
export type { EngineSetting, LegPorts, PacketPort } from './packet/port.ts';
export { SLICE_MS, SLICES, SliceSchedule } from './schedule.ts';
export { WarmUp } from './warm-up.ts';
