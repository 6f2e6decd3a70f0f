import { type Failure, fail, ok, type Result } from '#shared/result.ts';
import type { HostIdentity } from '../../../site/index.ts';
import { putFile } from './put-file.ts';

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
  identity: HostIdentity,
  { recordingId, fileName, sha256, path, replaces = false }: Upload,
): Promise<Result<null, Failure<'unreachable' | 'refused'>>> {
  const query = new URLSearchParams({ name: fileName, sha256, ...(replaces && { replace: 'true' }) });
  const url = `${identity.edgeUrl}/edge/v1/upload/${recordingId}?${query}`;
  const answer = await putFile(identity, url, path, SILENCE_MS);
  if (!answer.ok) return answer;
  const { status, text } = answer.value;
  if (status === 200) return ok(null);
  const refused = status === 400 || status === 409 || status === 413;
  return fail(refused ? 'refused' : 'unreachable', `the control plane answered ${status}: ${text}`);
}
