/** Public face of location: where a SIP URI is served, in the order to try (RFC 3263). */
export { type Hop, type HopTransport, type Located, type LocateOptions, locate } from './locate.ts';
export type { Looked, Lookup, NaptrRecord, SrvRecord } from './lookup.ts';
export { namedTransport, nextHop } from './next-hop.ts';
export { type Random, type Weighted, weightedOrder } from './weighted-order.ts';
