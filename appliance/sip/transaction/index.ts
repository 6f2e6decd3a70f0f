/** Public face of the transaction layer: four machines as tables, their timers, their keys. */
export { type InviteClientInput, type InviteClientState, inviteClient } from './invite-client.ts';
export { type InviteServerInput, type InviteServerState, inviteServer } from './invite-server.ts';
export { clientKey, pathKey, requestKey, responseKey } from './key.ts';
export type { Effect, Step, Table } from './machine.ts';
export {
  type NonInviteClientInput,
  type NonInviteClientState,
  nonInviteClient,
} from './non-invite-client.ts';
export {
  type NonInviteServerInput,
  type NonInviteServerState,
  nonInviteServer,
} from './non-invite-server.ts';
export { DEFAULT_TIMER_BASE, type TimerBase, type TimerName, timerMs } from './timer.ts';
