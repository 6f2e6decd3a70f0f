export type { RelayAnswer, RelayPort, RelayPost } from './port.ts';
export { type CallbackRelay, createCallbackRelay } from './relay.ts';
