import { type Failure, fail, ok, type Result } from '#shared/result.ts';
import type { HostIdentity } from '../../../site/index.ts';
import { putFile } from './put-file.ts';

/** Chosen: a listener may pause; no byte for five minutes means that the listener has left. */
const SILENCE_MS = 300_000;

/** Hands a recording to the address that the control plane has made for it; none but that of our edge listener is taken. */
export async function sendRecording(
  identity: HostIdentity,
  url: string,
  path: string,
): Promise<Result<null, Failure<'unreachable' | 'foreignAddress'>>> {
  if (!url.startsWith(`${identity.edgeUrl}/edge/v1/recording/`))
    return fail('foreignAddress', 'a recording goes to the edge listener of this host and nowhere else');
  const answer = await putFile(identity, url, path, SILENCE_MS);
  if (!answer.ok) return answer;
  const { status } = answer.value;
  return status === 200
    ? ok(null)
    : fail('unreachable', `the control plane answered ${status} to the recording`);
}
