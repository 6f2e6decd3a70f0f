export { callable, isLoopback, serverNames } from './address.ts';
export { listenOnAnyAddress, type WildcardListener } from './any-address.ts';
export { edgePeerOf, hangUp } from './edge-peer.ts';
export { type Listener, openEdgeListener, openPublicListener, type Place } from './listener.ts';
export type { ProxyTrust } from './proxied-address.ts';
