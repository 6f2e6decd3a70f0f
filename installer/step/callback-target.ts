import { isIP } from 'node:net';
import { exitCode, Stop } from '../exit-code.ts';

/**
 * An application of one's own. `direct`: the platform posts to it. `forwarded`: it speaks plain http on this machine, and a
 * forwarder in front of it speaks https.
 */
export interface CallbackTarget {
  readonly kind: 'direct' | 'forwarded';
  readonly url: URL;
}

/**
 * Chosen: callbacks leave this machine over https only, because they carry personal data. Plain http is for an application on the
 * loopback address, which needs no certificate while its author tries things.
 */
export function callbackTarget(flag: string, written: string): CallbackTarget {
  const refuse = (why: string): never => {
    throw new Stop(exitCode.wrongUse, `${flag} ${written}: ${why}`);
  };
  if (!URL.canParse(written)) refuse('no URL; write https://HOST/PATH or http://localhost:PORT');
  const url = new URL(written);
  if (url.username !== '' || url.password !== '') refuse('a URL with a password; leave it out');
  if (url.search !== '' || url.hash !== '') refuse('a URL with a query or fragment; leave it out');
  if (url.protocol === 'https:') return { kind: 'direct', url };
  if (url.protocol !== 'http:') refuse(`${url.protocol}// is not spoken; write https:// or http://localhost`);
  if (!isLoopback(url.hostname))
    refuse('plain http is for this machine only; write https://, or http://localhost:PORT');
  return { kind: 'forwarded', url };
}

/** A name or address of this machine itself (RFC 6761 6.3, RFC 6890). */
function isLoopback(hostname: string): boolean {
  const name = hostname.replace(/^\[|\]$/g, '');
  if (isIP(name) === 4) return name.startsWith('127.');
  return name === '::1' || name === 'localhost' || name.endsWith('.localhost');
}

/** Where the platform posts: the base URL without a slash at its end. */
export const baseOf = ({ url }: CallbackTarget): string => url.href.replace(/\/+$/, '');
