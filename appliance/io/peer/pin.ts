import { createPublicKey, type KeyObject, type X509Certificate } from 'node:crypto';
import type { TLSSocket } from 'node:tls';
import type { Member } from '../../peer/index.ts';

/**
 * Whose key the other side of a connection has shown. Only the key counts: it is pinned by the site configuration, and a
 * site without WAN outlives its certificates, so that validity dates are not looked at (control plane 9).
 */
export function memberBehind(socket: TLSSocket, members: readonly Member[]): Member | undefined {
  const shown = socket.getPeerX509Certificate();
  return shown === undefined ? undefined : members.find((member) => isKeyOf(shown, member));
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
