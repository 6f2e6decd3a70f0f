export { digestCrypto } from './digest-crypto.ts';
export { type Frame, type FramingFault, StreamFramer } from './framing/stream-framer.ts';
export type { TransportLimits } from './limits.ts';
export { openSipTransport } from './open-sip-transport.ts';
export { type MessageTap, SipNetwork } from './sip-network.ts';
export type {
  CloseReason,
  ConnectFailure,
  ConnectOptions,
  ListenAddress,
  SendFailure,
  SipTransport,
  TlsCredentials,
  TransportEvent,
  TransportOptions,
  TransportSink,
} from './sip-transport.ts';
export type { Upgrade } from './upgrade.ts';
export { refuse } from './web-socket-upgrade.ts';
