import { Agent, request } from 'undici';
import { type FeedScope, keyChainIn, sightSchema, type WipeReport } from '#shared/contract/feed/index.ts';
import type { FeedAnswer, FeedAsk } from '#shared/contract/peer/index.ts';
import { fail, ok } from '#shared/result.ts';
import type { FeedSource, Fetched } from '../../../replica/index.ts';
import type { HostIdentity } from '../../../site/index.ts';
import { checkCloudIdentity } from './cloud-identity.ts';
import { openPage } from './page.ts';
import { saveFile } from './save-file.ts';

export interface EdgeClient extends FeedSource {
  /** For another host of the site, by its uid: signed text, or bytes of a page as they travel. It checks them. */
  for(uid: string, ask: FeedAsk): Promise<FeedAnswer>;
  /** GET /edge/v1/presence: the platform does not hold this host of our site for offline; undefined: no answer. */
  sees(uid: string): Promise<boolean | undefined>;
  /** POST /edge/v1/wiped: true when the platform has it, or holds this machine for no host any more. */
  wiped(report: WipeReport): Promise<boolean>;
  /** Ends connections that are kept open. */
  close(): Promise<void>;
}

const TIMEOUT_MS = 20_000;
const SIGNED_LIMIT_BYTES = 1_048_576;
/** A page has at most 1,000 operations; the largest body is bounded by the 1 MiB of an API request. */
const PAGE_LIMIT_BYTES = 16 * 1_048_576;

/** The edge listener of the control plane, by client certificate; trusted are the roots of the enrolment only. */
export function createEdgeClient(identity: HostIdentity): EdgeClient {
  const { edgeUrl } = identity;
  let agents = agentsOf(identity);
  /** With the certificate held now: whoever shows the one before a renewal for long is taken for a copy of this host. */
  const current = (): EdgeAgents => {
    if (agents.certificatePem !== identity.certificatePem) {
      void agents.end();
      agents = agentsOf(identity);
    }
    return agents;
  };

  async function get(path: string): Promise<Fetched<Buffer>> {
    try {
      const answer = await request(`${edgeUrl}/edge/v1/${path}`, {
        dispatcher: current().pages,
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
    keys: async () => {
      const text = await signed('keys');
      return text.ok ? keysIn(text.value) : text;
    },
    manifest: (scope: FeedScope, since: number, has = since) =>
      signed(`config/${scope}?since=${since}${has === since ? '' : `&has=${has}`}`),
    for: async (uid, ask) => {
      const of = `host=${uid}`;
      if (ask.ask === 'page') {
        const bytes = await get(`blob/${ask.sha256}?${of}`);
        return bytes.ok ? { text: bytes.value.toString('base64') } : {};
      }
      if (ask.ask === 'keys') {
        const keys = await signed('keys');
        return keys.ok ? { text: keys.value } : {};
      }
      const text =
        ask.ask === 'twin'
          ? await signed(`twin?${of}`)
          : await signed(`config/${ask.scope}?since=${ask.since}&${of}`);
      if (text.ok) return { text: text.value };
      return text.error.code === 'notModified' ? { notModified: true } : {};
    },
    async page(page) {
      const body = await get(`blob/${page.sha256}`);
      return body.ok ? await openPage(body.value, page) : body;
    },
    async sees(uid) {
      const said = await get(`presence?host=${uid}`);
      return said.ok ? sightSchema.safeParse(parsed(said.value)).data?.seen : undefined;
    },
    async wiped(report) {
      try {
        const answer = await request(`${edgeUrl}/edge/v1/wiped`, {
          dispatcher: current().pages,
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(report),
          signal: AbortSignal.timeout(TIMEOUT_MS),
        });
        await answer.body.dump();
        return answer.statusCode === 200 || answer.statusCode === 403;
      } catch {
        return false;
      }
    },
    save: (file, path) => saveFile(current().files, `${edgeUrl}/edge/v1/blob/${file.sha256}`, file, path),
    async close() {
      await Promise.all([agents.pages.destroy(), agents.files.destroy()]);
    },
  };
}

/** As they travel, from the cloud or by way of another host. */
export function keysIn(text: string): Fetched<readonly string[]> {
  const keys = keyChainIn(text);
  return keys === undefined ? fail('damaged', 'what came is no chain of key statements') : ok(keys);
}

interface EdgeAgents {
  readonly certificatePem: string;
  readonly pages: Agent;
  /** Files are large and stand on no other's way; their size is known before. */
  readonly files: Agent;
  readonly end: () => Promise<unknown>;
}

function agentsOf({ certificatePem, keyPem: key, caPem: ca }: HostIdentity): EdgeAgents {
  const connect = {
    cert: certificatePem,
    key,
    ca,
    minVersion: 'TLSv1.2',
    checkServerIdentity: checkCloudIdentity,
  } as const;
  const pages = new Agent({ connect, maxResponseSize: PAGE_LIMIT_BYTES, connections: 2 });
  const files = new Agent({ connect, connections: 1 });
  // Requests under way may end.
  const end = () => Promise.all([pages.close(), files.close()]);
  return { certificatePem, pages, files, end };
}

function parsed(text: Buffer): unknown {
  try {
    return JSON.parse(text.toString('utf8'));
  } catch {
    return undefined;
  }
}
