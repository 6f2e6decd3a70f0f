export type { CallbackCall, CallbackTarget, ChainOutcome, Delivery, RestAuthentication } from './call.ts';
