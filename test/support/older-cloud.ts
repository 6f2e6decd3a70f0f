import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createEdge } from 'node:https';
import type { Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { CompactSign } from 'jose';
import { openBroker, openEmbeddedBroker } from '#cloud/io/broker/index.ts';
import {
  type FeedScope,
  type HostPlace,
  parseTopic,
  resultHash,
  rowHash,
  SCOPES,
  SHARDS,
  type Sha256,
  shardOf,
  topicOf,
} from '#shared/contract/feed/index.ts';
import { openFolderAuthority } from '#test/support/installation/folder-authority.ts';
import { type FeedVector, filled, freshUlid, type Payload } from './feed-vector.ts';

const sha256: Sha256 = (text) => createHash('sha256').update(text).digest('hex');
const HOST = '127.0.0.1';

/** A message of a host, and its topic or path. */
export interface Said {
  readonly leaf: string;
  readonly payload: Payload;
}

/** A control plane of another contract for one host: claim, edge listener with client certificates, and the embedded broker. */
export interface OlderCloud {
  /** `{base_url}`. */
  readonly url: string;
  readonly received: readonly Said[];
  /** Paths that it does not have, as they were asked for. */
  readonly unknown: ReadonlySet<string>;
  /** Another number of the twin, retained, with this life and, where the contract has it, operation. */
  readonly desired: (life: string, op?: string) => Promise<void>;
  readonly say: (leaf: 'dn/ack' | 'dn/req', payload: unknown, words?: Payload) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Plays the part `cloud` of the vector. */
export async function openOlderCloud({ cloud }: FeedVector): Promise<OlderCloud> {
  const folder = mkdtempSync(join(tmpdir(), 'carillon-older-'));
  const authority = await openFolderAuthority(folder, Date.now());
  const ed25519 = (kid: string) => {
    const { privateKey } = generateKeyPairSync('ed25519');
    return { privateKey, jwk: { ...privateKey.export({ format: 'jwk' }), kid } };
  };
  const [signing, siteKey] = [ed25519('k1'), ed25519('s1')];
  const [uid, tenant] = [freshUlid(), freshUlid()];
  const place: HostPlace = { sh: shardOf(uid, sha256), tenant, siteId: 'north', uid };
  const owners = { platform: '', tenant, site: `${tenant}/north`, host: uid };
  const received: Said[] = [];
  const unknown = new Set<string>();
  const pages = new Map<string, Buffer>();
  const closing: (() => unknown)[] = [() => rmSync(folder, { recursive: true })];
  const words: Record<string, unknown> = { uid, tenant, twinRev: 1, life: 'active', op: null };
  let publicKey = '';

  const rowsOf = (scope: FeedScope): Payload[] =>
    (cloud.rows[scope] ?? []).map((row) => ({ ...row, rowHash: rowHash(row.body, sha256) }));
  const hashOf = (scope: FeedScope): string => resultHash(rowsOf(scope) as never, sha256);
  const revOf = (scope: FeedScope): number => (rowsOf(scope).length > 0 ? 7 : 0);
  for (const scope of SCOPES) {
    words[`${scope}Rev`] = revOf(scope);
    words[`${scope}Hash`] = hashOf(scope);
  }
  const signed = (typ: string, payload: Payload): Promise<string> =>
    new CompactSign(Buffer.from(JSON.stringify(payload)))
      .setProtectedHeader({ alg: 'EdDSA', typ, kid: 'k1' })
      .sign(signing.privateKey);
  const twin = (): Promise<string> => signed('carillon-twin', filled(cloud.twin, words));

  function manifest(scope: FeedScope): Promise<string> {
    const bytes = gzipSync(
      rowsOf(scope)
        .map((row) => `${JSON.stringify(row)}\n`)
        .join(''),
    );
    const hash = createHash('sha256').update(bytes).digest('hex');
    pages.set(hash, bytes);
    const more = { scope, owner: owners[scope], rev: revOf(scope), hash: hashOf(scope), now: Date.now() };
    const listed = [{ sha256: hash, size: bytes.length }];
    return signed('carillon-manifest', filled(cloud.manifest, { ...words, ...more, pages: listed }));
  }

  async function edge(path: string): Promise<string | Buffer | 304 | 404> {
    const [, scope, since] = /^\/edge\/v1\/config\/(\w+)\?since=(\d+)/.exec(path) ?? [];
    if (path === '/edge/v1/twin') return await twin();
    if (SCOPES.includes(scope as FeedScope))
      return Number(since) >= revOf(scope as FeedScope) ? 304 : await manifest(scope as FeedScope);
    const page = pages.get(path.replace('/edge/v1/blob/', ''));
    if (page !== undefined) return page;
    unknown.add(path.replace(/\?.*/, ''));
    return 404;
  }

  async function claimed(body: Payload): Promise<Payload> {
    const csr = String(body.csr);
    const [issued, key] = [
      await authority.issueHost(csr, place, Date.now()),
      await authority.requestKey(csr),
    ];
    if (!issued.ok || !key.ok) throw new Error('no certificate');
    publicKey = key.value;
    const { certificate } = issued.value;
    const { d: _, ...verifyKey } = signing.jwk;
    return filled(cloud.enrolled, {
      ...words,
      ...{ hostId: body.hostId, certificate, ca: authority.ca, shard: place.sh },
      ...{ edgeUrl, brokerUrl: `mqtt://${HOST}:${embedded.port}`, verifyKey, siteKey: siteKey.jwk },
    });
  }

  const listening = async (server: Server): Promise<number> => {
    await new Promise<void>((resolve) => server.listen(0, HOST, resolve));
    closing.push(() => new Promise((resolve) => server.close(resolve)));
    const address = server.address();
    return typeof address === 'object' && address !== null ? address.port : 0;
  };
  const server = createHttpServer(async (request, response) => {
    const isClaim = request.url === '/edge/v1/claim';
    response.writeHead(isClaim ? 200 : 404, { 'content-type': 'application/json' });
    response.end(isClaim ? JSON.stringify(await claimed(await bodyOf(request))) : '{}');
  });
  const tls = { ...(await authority.issueServer([HOST], Date.now())), requestCert: true };
  const listener = createEdge(tls, async (request: IncomingMessage, response: ServerResponse) => {
    const answer = await edge(request.url ?? '');
    if (typeof answer === 'number') response.writeHead(answer).end();
    else response.writeHead(200).end(answer);
  });
  const url = `http://${HOST}:${await listening(server)}`;
  const edgeUrl = `https://${HOST}:${await listening(listener)}`;
  closing.push(
    () => listener.closeAllConnections(),
    () => server.closeAllConnections(),
  );

  const embedded = await openEmbeddedBroker({
    listen: { host: HOST, port: 0 },
    tls: undefined,
    admit: async (who) => (who === uid ? { place, publicKey } : undefined),
    rateLimits: false,
    onRefused: ({ reason }) => unknown.add(`broker: ${reason}`),
  });
  const broker = openBroker({
    dials: [{ kind: 'stream', open: embedded.dial }],
    onHeartbeat: embedded.onHeartbeat,
    kick: embedded.kick,
    closeBroker: embedded.close,
    owned: new Map(SHARDS.map((sh) => [sh, 6])),
    isOwned: () => true,
    // An earlier control plane takes no records.
    cap: [],
    random: randomBytes,
    onDown: () => undefined,
  });
  broker.onMessage((topic, payload) => {
    const leaf = parseTopic(topic)?.leaf;
    if (leaf !== undefined && payload.length > 0)
      received.push({ leaf, payload: JSON.parse(payload.toString()) as Payload });
  });
  await broker.ready;
  closing.push(() => broker.close());

  return {
    url,
    received,
    unknown,
    desired: async (life, op) => {
      Object.assign(words, { life, op: op ?? null, twinRev: Number(words.twinRev) + 1 });
      await broker.publish(topicOf(place, 'dn/twin'), await twin(), { retain: true });
    },
    say: (leaf, payload, more = {}) =>
      broker.publish(topicOf(place, leaf), JSON.stringify(filled(payload, { ...words, ...more }))),
    close: async () => {
      for (const step of closing.splice(0).reverse()) await step();
    },
  };
}

async function bodyOf(request: IncomingMessage): Promise<Payload> {
  let text = '';
  for await (const part of request) text += String(part);
  return JSON.parse(text) as Payload;
}
