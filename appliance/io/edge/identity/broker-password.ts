import { createPrivateKey, sign } from 'node:crypto';
import type { HostIdentity } from '../../../site/index.ts';

const LIFETIME_S = 60;

/** JWT (ES256, RFC 7518 3.4) by the key of the host, for the broker's plain listener on loopback. */
export function brokerPassword({ uid, keyPem }: HostIdentity, nowMs: number): string {
  const iat = Math.floor(nowMs / 1_000);
  const header = base64url({ alg: 'ES256', typ: 'JWT' });
  const input = `${header}.${base64url({ sub: uid, iat, exp: iat + LIFETIME_S })}`;
  const key = { key: createPrivateKey(keyPem), dsaEncoding: 'ieee-p1363' as const };
  return `${input}.${sign('sha256', Buffer.from(input), key).toString('base64url')}`;
}

const base64url = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
