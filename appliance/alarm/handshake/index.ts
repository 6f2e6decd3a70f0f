/** Public face of the statistics of handshakes. */
export type { HandshakeOf } from './handshake-book.ts';
export { HandshakeDesk, type HandshakePorts, type HandshakeStore } from './handshake-desk.ts';
export { type Handshake, HandshakeMeter } from './handshake-meter.ts';
