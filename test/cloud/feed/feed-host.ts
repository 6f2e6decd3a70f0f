import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { hostKeys } from '#appliance/io/edge/identity/host-key.ts';
import { openConfigKeys } from '#appliance/io/edge/index.ts';
import {
  judgeStaged,
  KeyRing,
  removalsOf,
  replacesAll,
  StagedReading,
  TenantModel,
} from '#appliance/replica/index.ts';
import { createFeed, type Feed, type FeedPort } from '#cloud/feed/index.ts';
import { digest } from '#cloud/io/digest/index.ts';
import { configKeys } from '#cloud/io/key/index.ts';
import { type HostRow, insertHost, type Store } from '#cloud/store/index.ts';
import {
  type ConfigFault,
  type FeedScope,
  type HashedRow,
  type Manifest,
  manifestSchema,
  shardOf,
} from '#shared/contract/feed/index.ts';
import { ulid } from '#shared/id.ts';
import { HOST_ROW } from '#test/support/host-row.ts';
import { vault } from '../store/database.ts';

const { sha256 } = digest;

const encoded = (part: unknown): string => Buffer.from(JSON.stringify(part)).toString('base64url');

/** Content of a signed document. */
export const payloadOf = (jws: string): string =>
  Buffer.from(jws.split('.')[1] ?? '', 'base64url').toString();

/** The real feed without key and broker; `change` replaces parts of its port. */
export const testFeed = (store: Store, nowMs: () => number, change: Partial<FeedPort> = {}): Feed =>
  createFeed({
    store,
    owns: () => true,
    nowMs,
    sha256,
    hasher: digest.hasher,
    breathe: async () => undefined,
    sha256Bytes: (bytes) => sha256(Buffer.from(bytes).toString('base64')),
    gzip: async (text) => gzipSync(text),
    sign: async (typ, payload) => `${encoded({ typ })}.${encoded(payload)}.none`,
    vault,
    configKeys,
    publish: async () => undefined,
    after: () => undefined,
    log: () => undefined,
    ...change,
  });

/** A host that takes every revision as the appliance does, with keys in a folder of its own, and no network. */
export class FeedHost {
  readonly folder = mkdtempSync(join(tmpdir(), 'carillon-host-'));
  readonly uid = ulid(Date.UTC(2030, 0, 1), digest.random(10));
  readonly model: TenantModel;
  readonly revs: Record<FeedScope, number> = { platform: 0, host: 0, tenant: 0, site: 0 };
  /** Bodies of the rows `configkey`, as a disk would keep them. */
  keyRows = new Map<string, unknown>();
  /** Every byte that came, in clear and compressed, and the documents around. */
  readonly came: string[] = [];
  readonly tenant: string;
  #rows: readonly HashedRow[] = [];

  constructor(tenant: string, domain: string) {
    this.tenant = tenant;
    this.model = new TenantModel(domain);
  }

  /** As `enrolment` writes it; `change` replaces columns. */
  row(at: number, change: Partial<HostRow> = {}): HostRow {
    return {
      uid: this.uid,
      tenant: this.tenant,
      siteId: 'north',
      hostId: this.uid.slice(-8),
      sh: shardOf(this.uid, sha256),
      lifecycle: 'active',
      lifecycleSince: at,
      ...HOST_ROW,
      sealKey: { ...hostKeys(this.folder).sealKey },
      version: '0.1.0',
      createdAt: at,
      ...change,
    };
  }

  async join(store: Store, at: number): Promise<void> {
    await store.withTx((tx) => insertHost(tx, this.row(at)));
  }

  /** Its own scope: labels, network, and the keys it is given. */
  async pullHost(feed: Feed): Promise<void> {
    await feed.twin(this.uid);
    const manifest = await this.#manifest(feed, 'host', this.revs.host);
    if (manifest === undefined) return;
    if (replacesAll(manifest)) this.keyRows.clear();
    const reading = new StagedReading([], sha256);
    for (const text of await this.#pages(feed, manifest)) {
      for (const operation of reading.add(text) ?? []) {
        if (operation.entity !== 'configkey') continue;
        if (operation.op === 'put') this.keyRows.set(operation.id, operation.body);
        else this.keyRows.delete(operation.id);
      }
    }
    this.revs.host = manifest.to;
  }

  /** The tenant's; faults are those of a NACK, undefined = there is nothing newer. `since` 0 = everything again. */
  async pull(feed: Feed, since = this.revs.tenant): Promise<readonly ConfigFault[] | undefined> {
    const manifest = await this.#manifest(feed, 'tenant', since);
    if (manifest === undefined) return undefined;
    return await this.take(manifest, await this.#pages(feed, manifest));
  }

  /** Applies what came, by whatever way. */
  async take(manifest: Manifest, pages: readonly string[]): Promise<readonly ConfigFault[]> {
    const whole = replacesAll(manifest);
    const keys = await KeyRing.from(this.tenant, [...this.keyRows.values()], openConfigKeys(this.folder));
    const reading = new StagedReading(whole ? [] : this.#rows, sha256, keys);
    const after = new Map(whole ? [] : this.#rows.map((row) => [`${row.entity} ${row.id}`, row]));
    for (const text of pages) {
      for (const operation of reading.add(text) ?? []) {
        const { entity, id } = operation;
        if (operation.op === 'put') after.set(`${entity} ${id}`, { entity, id, rowHash: operation.rowHash });
        else after.delete(`${entity} ${id}`);
      }
    }
    if (reading.faults.length > 0) return reading.faults;
    const rows = [...after.values()];
    const verdict = judgeStaged(manifest, this.#rows, rows, sha256);
    if (verdict.kind !== 'good') throw new Error(`not what the cloud has: ${JSON.stringify(verdict)}`);
    this.model.apply([...(whole ? removalsOf(this.#rows, rows) : []), ...reading.changes]);
    this.#rows = rows;
    this.revs.tenant = manifest.to;
    return [];
  }

  end(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  async #manifest(feed: Feed, scope: FeedScope, since: number): Promise<Manifest | undefined> {
    const answer = await feed.manifest(this.uid, scope, since);
    if (answer === undefined) return undefined;
    this.came.push(payloadOf(answer.jws));
    return manifestSchema.parse(JSON.parse(payloadOf(answer.jws)));
  }

  async #pages(feed: Feed, { pages }: Manifest): Promise<string[]> {
    const texts: string[] = [];
    for (const { sha256: name } of pages) {
      const bytes = (await feed.page(this.uid, name)) ?? new Uint8Array();
      const text = gunzipSync(bytes).toString();
      this.came.push(Buffer.from(bytes).toString('latin1'), text);
      texts.push(text);
    }
    return texts;
  }
}
