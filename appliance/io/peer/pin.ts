import { createPublicKey, type KeyObject, type X509Certificate } from 'node:crypto';
import type { TLSSocket } from 'node:tls';
import type { Member } from '../../site/peer/index.ts';

/**
 * Whose key the other side of a connection has shown. Only the key counts: it is pinned by the site configuration, and a
 * site without WAN outlives its certificates, so that validity dates are not looked at (control plane 9).
 */
export function memberBehind(socket: TLSSocket | undefined, members: readonly Member[]): Member | undefined {
  const shown = socket && certificateOf(socket);
  return shown === undefined ? undefined : members.find((member) => isKeyOf(shown, member));
}

/** The socket of an HTTP/2 session throws at every touch once the session is closed, which may be before this code reads it. */
function certificateOf(socket: TLSSocket): X509Certificate | undefined {
  try {
    return socket.getPeerX509Certificate();
  } catch {
    return undefined;
  }
}

function isKeyOf({ publicKey }: X509Certificate, member: Member): boolean {
  const pinned = keyOf(member.publicKey);
  return pinned !== undefined && publicKey.equals(pinned);
}

const keys = new Map<string, KeyObject | undefined>();

function keyOf(pem: string): KeyObject | undefined {
  if (!keys.has(pem)) keys.set(pem, readKey(pem));
  return keys.get(pem);
}

function readKey(pem: string): KeyObject | undefined {
  try {
    return createPublicKey(pem);
  } catch {
    return undefined;
  }
}
