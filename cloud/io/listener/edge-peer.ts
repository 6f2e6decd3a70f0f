import type { TLSSocket } from 'node:tls';
import type { EdgePeer } from '#cloud/http/index.ts';

/** The client certificate of the connection on which a request came; undefined without one. */
export function edgePeerOf(env: unknown): EdgePeer | undefined {
  const socket = (env as { incoming?: { socket?: TLSSocket } }).incoming?.socket;
  const certificate = socket?.getPeerCertificate?.();
  const uid: unknown = certificate?.subject?.CN;
  if (socket === undefined || typeof uid !== 'string') return undefined;
  return {
    authorized: socket.authorized,
    uid,
    serial: certificate?.serialNumber?.toLowerCase() ?? '',
    address: socket.remoteAddress ?? '',
  };
}

/** Ends the connection of an answer that nobody reads any more. */
export function hangUp(env: unknown): void {
  (env as { outgoing?: { destroy?: () => unknown } }).outgoing?.destroy?.();
}
