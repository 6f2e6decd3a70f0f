import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Agent, request } from 'undici';
import { type Failure, fail, ok, type Result } from '#shared/result.ts';
import type { HostIdentity } from '../../../site/index.ts';
import { checkCloudIdentity } from './cloud-identity.ts';

/** A finished file of a recording, to be handed to the cloud. */
export interface Upload {
  readonly recordingId: string;
  readonly fileName: string;
  readonly sha256: string;
  readonly path: string;
  readonly replaces?: boolean;
}

/** Chosen: hours of WAV over a thin line take long; no byte for a minute means that the line is dead. */
const SILENCE_MS = 60_000;

/** `unreachable`: try again later. `refused`: the cloud will never take it, and says why. */
export async function uploadRecording(
  { certificatePem: cert, keyPem: key, caPem: ca, edgeUrl }: HostIdentity,
  { recordingId, fileName, sha256, path, replaces = false }: Upload,
): Promise<Result<null, Failure<'unreachable' | 'refused'>>> {
  const dispatcher = new Agent({
    connect: { cert, key, ca, minVersion: 'TLSv1.2', checkServerIdentity: checkCloudIdentity },
    bodyTimeout: SILENCE_MS,
    headersTimeout: SILENCE_MS,
  });
  try {
    const { size } = await stat(path);
    const query = new URLSearchParams({ name: fileName, sha256, ...(replaces && { replace: 'true' }) });
    const answer = await request(`${edgeUrl}/edge/v1/upload/${recordingId}?${query}`, {
      dispatcher,
      method: 'PUT',
      headers: { 'content-type': 'application/octet-stream', 'content-length': String(size) },
      body: createReadStream(path),
    });
    const text = (await answer.body.text()).slice(0, 500);
    if (answer.statusCode === 200) return ok(null);
    const refused = answer.statusCode === 400 || answer.statusCode === 409 || answer.statusCode === 413;
    return fail(
      refused ? 'refused' : 'unreachable',
      `the control plane answered ${answer.statusCode}: ${text}`,
    );
  } catch (error) {
    return fail('unreachable', error instanceof Error ? error.message : String(error));
  } finally {
    await dispatcher.destroy();
  }
}
