/** Public face of the statistics of handshakes. */
export type { HandshakeOf } from './handshake-book.ts';
export { type HandshakePorts, HandshakeStatistics, type HandshakeStore } from './handshake-desk.ts';
export { type Handshake, HandshakeMeter } from './handshake-meter.ts';
