import { createHash, createHmac, randomUUID } from 'node:crypto';
import type { CallbackCopy } from '#shared/contract/site/index.ts';
import type { ForwardedRequest } from '../../io/network/forward.ts';

/** The parts of the signature of a copy: by what, for whom, and as of when. */
export interface CopySigner {
  /** Secret of this session, HS256. */
  readonly secret: string;
  /** Origin of the target on this machine: no other receiver takes the copy. */
  readonly audience: string;
  readonly domain: string;
  readonly nowMs: number;
}

/** Life of a token in seconds: as long as that of a callback. */
const LIFE_S = 300;
const base64url = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/**
 * A platform alarm goes to one URL of the notification settings, so that nothing stands behind it; an application knows it by this
 * name, which the SDK has.
 */
const PLATFORM_ALARM = '/platformAlarm';

/** A copy as a request to the application: the headers of a callback, signed by this session alone. */
export function copyRequest(
  copy: Pick<CallbackCopy, 'path' | 'body' | 'traceId' | 'key' | 'eventSeq' | 'attempt'>,
  { secret, audience, domain, nowMs }: CopySigner,
): ForwardedRequest {
  const iat = Math.floor(nowMs / 1_000);
  const claims = {
    ...{ sub: 'carillon-listen', scope: 'copy', iss: domain, aud: audience, iat, exp: iat + LIFE_S },
    jti: randomUUID(),
    bodySha256: createHash('sha256').update(copy.body).digest('hex'),
  };
  const signed = `${base64url({ alg: 'HS256', typ: 'JWT' })}.${base64url(claims)}`;
  const signature = createHmac('sha256', secret).update(signed).digest('base64url');
  return {
    path: copy.path === '/' ? PLATFORM_ALARM : copy.path,
    body: copy.body,
    headers: {
      Authorization: `Bearer ${signed}.${signature}`,
      'Content-Type': 'application/json',
      'Idempotency-Key': copy.key,
      'X-Trace-Id': copy.traceId,
      'X-Event-Seq': String(copy.eventSeq),
      'X-Delivery-Attempt': String(copy.attempt),
      'X-Carillon-Copy': 'true',
    },
  };
}
