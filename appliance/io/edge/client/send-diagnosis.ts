import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { Agent, request } from 'undici';
import { type Failure, fail, ok, type Result } from '#shared/result.ts';
import type { HostIdentity } from '../../../site/index.ts';
import { checkCloudIdentity } from './cloud-identity.ts';

const compressed = promisify(gzip);
const TIMEOUT_MS = 30_000;

/** The kinds of one-time addresses at the edge listener. */
type Asked = 'diagnosis' | 'capture' | 'trace';

type Sent = Result<{ bytes: number; sha256: string }, Failure<'unreachable' | 'foreignAddress'>>;

/** Hands what is known of this machine to the cloud, as JSON. */
export const sendDiagnosis = (identity: HostIdentity, url: string, diagnosis: unknown): Promise<Sent> =>
  putOnce(identity, url, 'diagnosis', Buffer.from(`${JSON.stringify(diagnosis, null, 2)}\n`));

/** Hands the trace of one session to the cloud; the caller has made its JSON. */
export const sendTrace = (identity: HostIdentity, url: string, json: string): Promise<Sent> =>
  putOnce(identity, url, 'trace', Buffer.from(json));

/**
 * Hands something that the cloud has asked for to the address that it made for it: gzip, PUT, once. An address that is not of our
 * edge listener is refused.
 */
export async function putOnce(
  { certificatePem: cert, keyPem: key, caPem: ca, edgeUrl }: HostIdentity,
  url: string,
  asked: Asked,
  bytes: Uint8Array,
): Promise<Sent> {
  if (!url.startsWith(`${edgeUrl}/edge/v1/${asked}/`))
    return fail('foreignAddress', `a ${NAME[asked]} goes to the edge listener of this host and nowhere else`);
  const body = await compressed(bytes);
  const sha256 = createHash('sha256').update(body).digest('hex');
  const dispatcher = new Agent({
    connect: { cert, key, ca, minVersion: 'TLSv1.2', checkServerIdentity: checkCloudIdentity },
  });
  try {
    const answer = await request(url, {
      method: 'PUT',
      headers: { 'content-type': 'application/gzip' },
      body,
      dispatcher,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    await answer.body.dump();
    return answer.statusCode === 200
      ? ok({ bytes: body.length, sha256 })
      : fail('unreachable', `the control plane answered ${answer.statusCode} to the ${NAME[asked]}`);
  } catch (error) {
    return fail('unreachable', error instanceof Error ? error.message || error.name : String(error));
  } finally {
    await dispatcher.destroy();
  }
}

const NAME: Readonly<Record<Asked, string>> = { diagnosis: 'bundle', capture: 'capture', trace: 'trace' };
