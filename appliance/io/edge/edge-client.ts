import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { Agent, request } from 'undici';
import type { FeedScope } from '#shared/contract/feed/index.ts';
import { fail, ok } from '#shared/result.ts';
import type { FeedSource, Fetched } from '../../replica/index.ts';
import type { HostIdentity } from '../../site/index.ts';
import { checkCloudIdentity } from './cloud-identity.ts';

export interface EdgeClient extends FeedSource {
  /** Ends connections that are kept open. */
  close(): Promise<void>;
}

const TIMEOUT_MS = 20_000;
const SIGNED_LIMIT_BYTES = 1_048_576;
/** A page has at most 1,000 operations; the largest body is bounded by the 1 MiB of an API request. */
const PAGE_LIMIT_BYTES = 16 * 1_048_576;
const PLAIN_LIMIT_BYTES = 64 * 1_048_576;

const unpack = promisify(gunzip);

/** The edge listener of the control plane, by client certificate; trusted are the roots of the enrolment only. */
export function createEdgeClient(identity: HostIdentity): EdgeClient {
  const { certificatePem: cert, keyPem: key, caPem: ca, edgeUrl } = identity;
  const dispatcher = new Agent({
    connect: { cert, key, ca, minVersion: 'TLSv1.2', checkServerIdentity: checkCloudIdentity },
    maxResponseSize: PAGE_LIMIT_BYTES,
    connections: 2,
  });

  async function get(path: string): Promise<Fetched<Buffer>> {
    try {
      const answer = await request(`${edgeUrl}/edge/v1/${path}`, {
        dispatcher,
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      if (answer.statusCode === 200) return ok(Buffer.from(await answer.body.arrayBuffer()));
      await answer.body.dump();
      if (answer.statusCode === 304) return fail('notModified', 'nothing newer');
      return fail('unreachable', `${path}: the control plane answered ${answer.statusCode}`);
    } catch (error) {
      return fail('unreachable', `${path}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  async function signed(path: string): Promise<Fetched<string>> {
    const body = await get(path);
    if (!body.ok) return body;
    if (body.value.length > SIGNED_LIMIT_BYTES) return fail('unreachable', `${path}: the answer is too long`);
    return ok(body.value.toString('utf8').trim());
  }

  return {
    twin: () => signed('twin'),
    manifest: (scope: FeedScope, since: number) => signed(`config/${scope}?since=${since}`),
    async page({ sha256, size }) {
      const body = await get(`blob/${sha256}`);
      if (!body.ok) return body;
      const found = createHash('sha256').update(body.value).digest('hex');
      if (body.value.length !== size || found !== sha256) {
        return fail('unreachable', `page ${sha256}: other bytes came than the manifest names`);
      }
      try {
        const plain = await unpack(body.value, { maxOutputLength: PLAIN_LIMIT_BYTES });
        return ok(plain.toString('utf8'));
      } catch {
        return fail('damaged', `page ${sha256} cannot be unpacked within ${PLAIN_LIMIT_BYTES} bytes`);
      }
    },
    close: () => dispatcher.destroy(),
  };
}
