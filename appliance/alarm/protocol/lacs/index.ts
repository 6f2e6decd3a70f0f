export {
  initial,
  type LacsEffect,
  type LacsExchange,
  type LacsInput,
  type LacsState,
  type LacsStep,
  step,
} from './exchange.ts';
export {
  type LacsArrival,
  LacsTable,
  type LacsTableEffect,
  type PersistedLacs,
  REPEAT_MS,
} from './exchange-table.ts';
export { LACS } from './message-protocol.ts';
export { LACS_PROFILE, type LacsMeaning, type LacsProfile } from './profile.ts';
export { decodeLacs, encodeReply, type LacsRequest, lacsEvent } from './request.ts';
