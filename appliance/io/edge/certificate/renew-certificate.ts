import { sign } from 'node:crypto';
import { Agent, request } from 'undici';
import { challengeAnswerSchema, renewAnswerSchema, renewProof } from '#shared/contract/site/index.ts';
import { type Failure, fail, ok, type Result } from '#shared/result.ts';
import type { HeldIdentity } from '../identity/held-identity.ts';
import { saveCertificate } from '../identity/identity-file.ts';
import { isForKey } from './enrolled-part.ts';
import { signingRequest } from './signing-request.ts';
import { trustedCas } from './trusted-ca.ts';

export interface RenewalSetting {
  readonly folder: string;
  /** `{base_url}` of the control plane: renewing takes no client certificate, since ours may have ended. */
  readonly cloud: string;
  /** DNS names and addresses of our own listeners. */
  readonly names: readonly string[];
  readonly trustPem: string | undefined;
}

const TIMEOUT_MS = 10_000;
const ANSWER_LIMIT_BYTES = 262_144;

/**
 * The next certificate of this machine, for the key it has (control plane, section 12): a fresh challenge is signed by it,
 * and the certificate held now is shown, ended or not. It is on the disk before it is used. `refused`: the control plane
 * holds this machine for no host; `unreachable`: try again later.
 */
export async function renewCertificate(
  identity: HeldIdentity,
  { folder, cloud, names, trustPem }: RenewalSetting,
): Promise<Result<{ expiresAt: number }, Failure<'unreachable' | 'refused'>>> {
  const { keyPem, certificatePem, hostId } = identity;
  const dispatcher = new Agent({
    connect: { ca: trustedCas(trustPem), minVersion: 'TLSv1.2' },
    maxResponseSize: ANSWER_LIMIT_BYTES,
  });
  const post = async (path: string, body?: object) => {
    const answer = await request(`${cloud.replace(/\/$/, '')}/edge/v1/${path}`, {
      method: 'POST',
      ...(body !== undefined && {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
      dispatcher,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    return { status: answer.statusCode, body: (await answer.body.json()) as Record<string, unknown> };
  };
  try {
    const asked = await post('challenge');
    const challenge = challengeAnswerSchema.safeParse(asked.body).data?.challenge;
    if (challenge === undefined) return fail('unreachable', `no challenge was given: ${asked.status}`);
    const csr = await signingRequest(keyPem, hostId, names);
    const signature = sign('sha256', Buffer.from(renewProof(challenge, csr)), {
      key: keyPem,
      dsaEncoding: 'ieee-p1363',
    }).toString('base64url');
    const answer = await post('renew', { certificate: certificatePem, csr, challenge, signature });
    if (answer.status === 403) return fail('refused', String(answer.body.reason));
    const { data } = renewAnswerSchema.safeParse(answer.body);
    if (data === undefined) return fail('unreachable', `the control plane answered ${answer.status}`);
    if (!isForKey(data.certificate, keyPem)) return fail('unreachable', 'the certificate is for another key');
    saveCertificate(folder, data.certificate, data.ca);
    identity.renew({ certificatePem: data.certificate, caPem: data.ca });
    return ok({ expiresAt: identity.expiresAtMs });
  } catch (error) {
    return fail('unreachable', error instanceof Error ? error.message || error.name : String(error));
  } finally {
    await dispatcher.destroy();
  }
}
