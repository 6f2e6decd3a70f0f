import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { Agent, request } from 'undici';
import { type Failure, fail, ok, type Result } from '#shared/result.ts';
import type { HostIdentity } from '../../../site/index.ts';
import { checkCloudIdentity } from './cloud-identity.ts';

const compressed = promisify(gzip);
const TIMEOUT_MS = 30_000;

/**
 * Hands what is known of this machine to the cloud: JSON, gzip, PUT to the address that the cloud has made for it. An
 * address that is not of our edge listener is refused.
 */
export async function sendDiagnosis(
  { certificatePem: cert, keyPem: key, caPem: ca, edgeUrl }: HostIdentity,
  url: string,
  diagnosis: unknown,
): Promise<Result<{ bytes: number; sha256: string }, Failure<'unreachable' | 'foreignAddress'>>> {
  if (!url.startsWith(`${edgeUrl}/edge/v1/diagnosis/`))
    return fail('foreignAddress', 'a bundle goes to the edge listener of this host and nowhere else');
  const body = await compressed(`${JSON.stringify(diagnosis, null, 2)}\n`);
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
      : fail('unreachable', `the control plane answered ${answer.statusCode} to the bundle`);
  } catch (error) {
    return fail('unreachable', error instanceof Error ? error.message || error.name : String(error));
  } finally {
    await dispatcher.destroy();
  }
}
