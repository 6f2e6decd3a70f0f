/** Public face of the SIP endpoint: owner of all transactions, first judge of every request. */
export type { Capability } from './capability.ts';
export type { OnOutcome, Outcome, Outgoing, SentRequest } from './client-transaction.ts';
export type { EndpointCounts, EndpointEffects, EndpointOptions, StreamRoutes } from './effects.ts';
export { SipEndpoint } from './endpoint.ts';
export { type Flow, hostOf } from './flow.ts';
export { LONGEST_DATAGRAM } from './long-request.ts';
export type { ServerTransaction } from './server-transaction.ts';
