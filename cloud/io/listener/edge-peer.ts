import type { TLSSocket } from 'node:tls';
import type { EdgePeer } from '#cloud/http/index.ts';

/** A connection shows its certificate once; taking it apart costs more than many a request. */
const known = new WeakMap<TLSSocket, EdgePeer>();

/** The client certificate of the connection on which a request came; undefined without one. */
export function edgePeerOf(env: unknown): EdgePeer | undefined {
  const socket = (env as { incoming?: { socket?: TLSSocket } }).incoming?.socket;
  if (socket === undefined) return undefined;
  const before = known.get(socket);
  if (before !== undefined) return before;
  const certificate = socket.getPeerCertificate?.();
  const uid: unknown = certificate?.subject?.CN;
  if (typeof uid !== 'string') return undefined;
  const peer = {
    authorized: socket.authorized,
    uid,
    serial: certificate?.serialNumber?.toLowerCase() ?? '',
    address: socket.remoteAddress ?? '',
  };
  known.set(socket, peer);
  return peer;
}

/** Ends the connection of an answer without a reader. */
export function hangUp(env: unknown): void {
  (env as { outgoing?: { destroy?: () => unknown } }).outgoing?.destroy?.();
}
