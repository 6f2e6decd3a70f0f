import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Agent, request } from 'undici';
import { type Failure, fail, ok, type Result } from '#shared/result.ts';
import type { HostIdentity } from '../../../site/index.ts';
import { checkCloudIdentity } from './cloud-identity.ts';

/** Chosen: a listener may pause; no byte for five minutes means that the listener has left. */
const SILENCE_MS = 300_000;

/** Hands a recording to the address that the control plane has made for it; none but that of our edge listener is taken. */
export async function sendRecording(
  { certificatePem: cert, keyPem: key, caPem: ca, edgeUrl }: HostIdentity,
  url: string,
  path: string,
): Promise<Result<null, Failure<'unreachable' | 'foreignAddress'>>> {
  if (!url.startsWith(`${edgeUrl}/edge/v1/recording/`))
    return fail('foreignAddress', 'a recording goes to the edge listener of this host and nowhere else');
  const dispatcher = new Agent({
    connect: { cert, key, ca, minVersion: 'TLSv1.2', checkServerIdentity: checkCloudIdentity },
    bodyTimeout: SILENCE_MS,
    headersTimeout: SILENCE_MS,
  });
  try {
    const { size } = await stat(path);
    const headers = { 'content-type': 'application/octet-stream', 'content-length': String(size) };
    const answer = await request(url, { dispatcher, method: 'PUT', headers, body: createReadStream(path) });
    await answer.body.dump();
    return answer.statusCode === 200
      ? ok(null)
      : fail('unreachable', `the control plane answered ${answer.statusCode} to the recording`);
  } catch (error) {
    return fail('unreachable', error instanceof Error ? error.message : String(error));
  } finally {
    await dispatcher.destroy();
  }
}
