export { answersWithData, type Bs8521Command, commandFor, encodeCommand } from './command.ts';
export { CONTROLS } from './control.codes.ts';
export {
  type ControllerCall,
  type ControllerCallEffect,
  type ControllerCallInput,
  controllerCall,
  isOccupied,
  stepControllerCall,
} from './controller-call.ts';
export { type Bs8521Line, bs8521Protocol, decodeLine, encodeLine, frameOf } from './line.ts';
export { type CommandLink, initialLink, type LinkStep, stepLink } from './link.ts';
export type { LinkEffect, LinkInput, LinkTimer } from './link-state.ts';
export { BS8521_PROFILE, type Bs8521Profile } from './profile.ts';
export { type Bs8521Reading, readTones } from './reading.ts';
export { type Bs8521Reply, decodeReply } from './reply.ts';
export { bs8521Form } from './send-form.ts';
export {
  type Bs8521SendEffect,
  type Bs8521SendInput,
  type Bs8521Sending,
  type Bs8521SendStep,
  bs8521Idle,
  bs8521Sending,
  stepBs8521Sending,
} from './sender.ts';
