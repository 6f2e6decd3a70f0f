/** Public face of the statistics of handshakes. */

export { type Handshake, HandshakeMeter } from './handshake-meter.ts';
export { type HandshakePorts, HandshakeStatistics, type HandshakeStore } from './handshake-statistics.ts';
export type { HandshakeOf } from './handshake-table.ts';
