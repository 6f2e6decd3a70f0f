import { Agent, request } from 'undici';
import type { HostNote } from '#shared/contract/feed/index.ts';
import { type Failure, fail, ok, type Result } from '#shared/result.ts';
import { loadIdentity } from '../identity/identity-file.ts';
import { checkCloudIdentity } from './cloud-identity.ts';

/** A person waits at the machine. */
const WITHIN_MS = 8_000;

/**
 * Reports to the control plane an act at this machine. `notEnrolled`: the machine has no control plane. `unreachable`: it did not
 * take it, and the reason says why.
 */
export async function sendNote(
  folder: string,
  note: HostNote,
): Promise<Result<null, Failure<'notEnrolled' | 'unreachable'>>> {
  const identity = loadIdentity(folder, 'without the site key');
  if (identity === undefined) return fail('notEnrolled', 'this machine is not enrolled');
  const { certificatePem: cert, keyPem: key, caPem: ca, edgeUrl } = identity;
  const connect = { cert, key, ca, minVersion: 'TLSv1.2', checkServerIdentity: checkCloudIdentity } as const;
  const dispatcher = new Agent({ connect });
  try {
    const answer = await request(`${edgeUrl}/edge/v1/note`, {
      dispatcher,
      method: 'POST',
      signal: AbortSignal.timeout(WITHIN_MS),
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(note),
    });
    const text = (await answer.body.text()).slice(0, 300);
    if (answer.statusCode === 200) return ok(null);
    return fail('unreachable', `the control plane answered ${answer.statusCode}: ${text}`);
  } catch (error) {
    return fail('unreachable', error instanceof Error ? error.message : String(error));
  } finally {
    await dispatcher.destroy();
  }
}
