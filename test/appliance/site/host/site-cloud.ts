import { createHash, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { CompactSign } from 'jose';
import type { FeedSource } from '#appliance/replica/index.ts';
import {
  type FeedScope,
  formatPage,
  MANIFEST_TYP,
  type Operation,
  PAGE_OPERATIONS,
  type Profile,
  resultHash,
  rowHash,
  SCOPES,
  type Sha256,
  TWIN_TYP,
} from '#shared/contract/feed/index.ts';
import type { VerifyKey } from '#shared/contract/site/index.ts';
import { fail, ok } from '#shared/result.ts';

export const sha256: Sha256 = (text) => createHash('sha256').update(text).digest('hex');

type Put = Extract<Operation, { op: 'put' }>;

interface Change {
  readonly operations: readonly Operation[];
  readonly massChange: boolean;
}

/** An Ed25519 key by which twins and manifests are signed, and its public part as a host pins it. */
export function signingKey(kid: string): { readonly key: KeyObject; readonly verifyKey: VerifyKey } {
  const { privateKey } = generateKeyPairSync('ed25519');
  const { x = '' } = privateKey.export({ format: 'jwk' });
  return { key: privateKey, verifyKey: { kty: 'OKP', crv: 'Ed25519', x, kid } };
}

export const put = <Body>(entity: string, id: string, body: Body) => ({
  op: 'put' as const,
  entity,
  id,
  body,
  rowHash: rowHash(body, sha256),
});
export const remove = (entity: string, id: string): Operation => ({ op: 'delete', entity, id });

export const device = (id: string, more: object = {}) =>
  put('device', id, { deviceId: id, authType: 'deviceid', srtp: 'negotiated', ...more });

export const bridge = (id: string, more: object = {}) =>
  put('alarmbridge', id, { id, protocol: 'scaip', name: id, destinationMatch: `^${id}$`, ...more });

/** The feed of one host, with real revisions, hashes, pages and signatures. Faults are switched on by name. */
export class SiteCloud {
  readonly signing = signingKey('k1');
  readonly uid: string;
  readonly owners: Readonly<Record<FeedScope, string>>;
  twinRev = 1;
  jitterS = 1;
  profile: Profile = 'standard';
  /** No network. */
  down = false;
  /** Deltas leave out their last operation, and still name the whole result. */
  deltasLose = false;
  /** The key that signs manifests; another one is a forger's. */
  manifestKey = this.signing.key;
  /** Revision of the last twin. */
  #twinKey = this.signing.key;
  #kid = 'k1';
  readonly asked: string[] = [];
  readonly #changes: Record<FeedScope, Change[]> = { platform: [], tenant: [], site: [], host: [] };
  readonly #pages = new Map<string, Buffer>();

  constructor(uid: string, tenant: string, siteId: string) {
    this.uid = uid;
    this.owners = { platform: '', tenant, site: `${tenant}/${siteId}`, host: uid };
  }

  /** Both are signed by this key from now on. */
  sign({ key, verifyKey }: ReturnType<typeof signingKey>): void {
    this.#twinKey = key;
    this.manifestKey = key;
    this.#kid = verifyKey.kid;
  }

  /** One revision. */
  change(scope: FeedScope, operations: readonly Operation[], massChange = false): void {
    this.#changes[scope].push({ operations, massChange });
    this.twinRev++;
  }

  rev(scope: FeedScope): number {
    return this.#changes[scope].length;
  }

  async twin(change: object = {}, key: KeyObject = this.#twinKey): Promise<string> {
    const pointer = (scope: FeedScope) => ({ rev: this.rev(scope), h: this.#hash(scope) });
    const payload = {
      v: 1,
      uid: this.uid,
      twinRev: this.twinRev,
      life: 'active',
      hb: { profile: this.profile },
      jitterS: this.jitterS,
      cfg: Object.fromEntries(SCOPES.map((scope) => [scope, pointer(scope)])),
      ...change,
    };
    return await sign(TWIN_TYP, payload, key, this.#kid);
  }

  readonly feed: FeedSource = {
    twin: async () => (this.down ? fail('unreachable', 'no network') : ok(await this.twin())),
    manifest: async (scope, since, has) => {
      this.asked.push(`${scope} ${since}`);
      if (this.down) return fail('unreachable', 'no network');
      if (since >= this.rev(scope)) return fail('notModified', 'nothing newer');
      return ok(await this.manifest(scope, since, has));
    },
    page: async ({ sha256: hash }) => {
      if (this.down) return fail('unreachable', 'no network');
      const page = this.#pages.get(hash);
      return page === undefined ? fail('unreachable', 'no such page') : ok(page.toString('utf8'));
    },
  };

  async manifest(scope: FeedScope, since: number, has = since): Promise<string> {
    const changes = this.#changes[scope].slice(since);
    const operations: Operation[] =
      since === 0 ? this.#snapshot(scope) : changes.flatMap((each) => each.operations);
    if (since > 0 && this.deltasLose) operations.pop();
    const payload = {
      v: 1,
      scope,
      owner: this.owners[scope],
      kind: since === 0 ? 'snapshot' : 'delta',
      from: since,
      to: this.rev(scope),
      massChange: has > 0 && this.#changes[scope].slice(has).some((each) => each.massChange),
      issuedAt: 0,
      resultHash: this.#hash(scope),
      pages: this.#paged(operations),
    };
    return await sign(MANIFEST_TYP, payload, this.manifestKey, this.#kid);
  }

  /** Compressed bytes of a page, as they travel. */
  blob(hash: string): Buffer | undefined {
    const plain = this.#pages.get(hash);
    return plain === undefined ? undefined : gzipSync(plain);
  }

  #paged(operations: readonly Operation[]) {
    const pages = [];
    for (let at = 0; at < operations.length; at += PAGE_OPERATIONS) {
      const text = formatPage(operations.slice(at, at + PAGE_OPERATIONS));
      const bytes = gzipSync(text);
      const hash = createHash('sha256').update(bytes).digest('hex');
      this.#pages.set(hash, Buffer.from(text));
      pages.push({ sha256: hash, size: bytes.length });
    }
    return pages;
  }

  /** The last put of each row; its hash is that of the opened body, whatever is sealed in it. */
  #snapshot(scope: FeedScope): Put[] {
    const rows = new Map<string, Put>();
    for (const operation of this.#changes[scope].flatMap((each) => each.operations)) {
      const { entity, id } = operation;
      if (operation.op === 'put') rows.set(`${entity} ${id}`, operation);
      else rows.delete(`${entity} ${id}`);
    }
    return [...rows.values()];
  }

  #hash(scope: FeedScope): string {
    return resultHash(this.#snapshot(scope), sha256);
  }
}

const sign = (typ: string, payload: unknown, key: KeyObject, kid: string): Promise<string> =>
  new CompactSign(Buffer.from(JSON.stringify(payload)))
    .setProtectedHeader({ alg: 'EdDSA', typ, kid })
    .sign(key);
