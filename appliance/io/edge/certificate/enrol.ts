import { mkdirSync } from 'node:fs';
import { Agent, request } from 'undici';
import {
  type ClaimHostAnswer,
  type ClaimHostRequest,
  claimHostAnswerSchema,
} from '#shared/contract/site/index.ts';
import type { EnrolOutcome } from '../../../site/index.ts';
import { hostKeys } from '../identity/host-key.ts';
import { saveIdentity } from '../identity/identity-file.ts';
import { misfit } from './enrolled-part.ts';
import { signingRequest } from './signing-request.ts';
import { trustedCas } from './trusted-ca.ts';

export interface EnrolSetting {
  /** Folder of all state. */
  readonly folder: string;
  /** `{base_url}` of the control plane. */
  readonly cloud: string;
  readonly claimCode: string;
  readonly hostId: string;
  /** DNS names and addresses of our own listeners, for the certificate. */
  readonly names: readonly string[];
  readonly version: string;
  readonly siteBaseUrl: string;
  /** PEM of further roots trusted for the control plane. */
  readonly trustPem?: string | undefined;
  readonly serial?: string;
  readonly labels?: readonly string[];
  /** The signer of a claim file, and its site; the machine becomes a host of no other. */
  readonly expected?: { readonly kid: string; readonly siteId: string } | undefined;
}

const TIMEOUT_MS = 10_000;
const ANSWER_LIMIT_BYTES = 262_144;

/** One attempt: keys at first use, CSR, claim; what comes of it is kept in the folder. Never rejects for the network. */
export async function enrol(setting: EnrolSetting): Promise<EnrolOutcome> {
  mkdirSync(setting.folder, { recursive: true, mode: 0o700 });
  const keys = hostKeys(setting.folder);
  const claim: ClaimHostRequest = {
    claimCode: setting.claimCode,
    hostId: setting.hostId,
    csr: await signingRequest(keys.keyPem, setting.hostId, setting.names),
    sealKey: keys.sealKey,
    version: setting.version,
    siteBaseUrl: setting.siteBaseUrl,
    ...(setting.serial !== undefined && { serial: setting.serial }),
    ...(setting.labels !== undefined && { labels: [...setting.labels] }),
  };
  const answer = await post(`${setting.cloud.replace(/\/$/, '')}/edge/v1/claim`, claim, setting.trustPem);
  if ('unreachable' in answer) return { kind: 'unreachable', reason: answer.unreachable };
  if (answer.status !== 200) return refusal(answer.status, answer.body);
  const read = claimHostAnswerSchema.safeParse(answer.body);
  if (!read.success) return { kind: 'unreachable', reason: 'the answer to the claim is not understood' };
  const other = otherThan(setting.expected, read.data);
  if (other !== undefined) return { kind: 'refused', reason: other };
  if (read.data.state === 'waiting') {
    const { siteId, hostId, retryAfterS } = read.data;
    return { kind: 'waiting', siteId, hostId, retryAfterS };
  }
  const reason = misfit(read.data, keys.keyPem);
  if (reason !== undefined) return { kind: 'unreachable', reason };
  return { kind: 'enrolled', identity: saveIdentity(setting.folder, read.data) };
}

/** Why this is not what the claim file led to. */
function otherThan(expected: EnrolSetting['expected'], answer: ClaimHostAnswer): string | undefined {
  if (expected === undefined) return undefined;
  if (answer.siteId !== expected.siteId) return `it took the claim for the site ${answer.siteId}.`;
  if (answer.state === 'waiting' || answer.verifyKeys.some(({ kid }) => kid === expected.kid))
    return undefined;
  return 'it is not the one that has signed the claim file.';
}

type Answer = { readonly status: number; readonly body: unknown } | { readonly unreachable: string };

async function post(url: string, body: unknown, trustPem: string | undefined): Promise<Answer> {
  const dispatcher = new Agent({
    connect: { ca: trustedCas(trustPem), minVersion: 'TLSv1.2' },
    maxResponseSize: ANSWER_LIMIT_BYTES,
  });
  try {
    const answer = await request(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify(body),
      dispatcher,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    return { status: answer.statusCode, body: parsed(await answer.body.text()) };
  } catch (error) {
    return { unreachable: error instanceof Error ? error.message || error.name : String(error) };
  } finally {
    await dispatcher.close();
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** 4xx is an answer about this claim, but for "too often" (429) and "too slow" (408); everything else may pass. */
function refusal(status: number, body: unknown): EnrolOutcome {
  const given =
    typeof body === 'object' && body !== null && 'reason' in body ? String(body.reason) : undefined;
  const reason = given ?? `the control plane answered ${status}`;
  const final = status >= 400 && status < 500 && status !== 408 && status !== 429;
  return { kind: final ? 'refused' : 'unreachable', reason };
}
