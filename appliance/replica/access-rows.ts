import type {
  ReplicatedApiKey,
  ReplicatedApiToken,
  ReplicatedPlatform,
  ReplicatedRevocation,
  ReplicatedTenant,
  ReplicatedVerifyKey,
} from '#shared/contract/access/index.ts';

/** Rows by which tokens are judged. */
export interface AccessBody {
  readonly apikey: ReplicatedApiKey;
  readonly apitoken: ReplicatedApiToken;
  readonly revocation: ReplicatedRevocation;
  readonly tenant: ReplicatedTenant;
  readonly platform: ReplicatedPlatform;
  readonly verifykey: ReplicatedVerifyKey;
}

/** A row that is new or other than before. */
export type AccessChange = {
  readonly [E in keyof AccessBody]: { readonly entity: E; readonly id: string; readonly body: AccessBody[E] };
}[keyof AccessBody];

const ACCESS: readonly string[] = ['apikey', 'apitoken', 'revocation', 'tenant', 'platform', 'verifykey'];

export const isAccess = (entity: string): entity is keyof AccessBody => ACCESS.includes(entity);

/** The access of the last revision: keys, tokens, and those of them that are refused. */
export class AccessRows {
  readonly #keys = new Map<string, ReplicatedApiKey>();
  readonly #tokens = new Map<string, ReplicatedApiToken>();
  readonly #tokensByHash = new Map<string, ReplicatedApiToken>();
  readonly #revoked = new Set<string>();
  #notBefore = 0;
  #publicUrl: string | undefined;
  #verifyKeys: readonly ReplicatedVerifyKey[] = [];

  apiKey(kid: string): ReplicatedApiKey | undefined {
    return this.#keys.get(kid);
  }

  /** `hash`: SHA-256 of the token, lower-case hex. */
  apiToken(hash: string): ReplicatedApiToken | undefined {
    return this.#tokensByHash.get(hash);
  }

  isRevoked(jti: string): boolean {
    return this.#revoked.has(jti);
  }

  /** Signed tokens with an older `iat` are refused, epoch ms; 0 = no cut. */
  get notBefore(): number {
    return this.#notBefore;
  }

  /** `{base_url}` of the cloud, once it is known. */
  get publicUrl(): string | undefined {
    return this.#publicUrl;
  }

  /** Keys of the platform, by `kid`; another list when one has changed. Empty: those of the enrolment count. */
  get verifyKeys(): readonly ReplicatedVerifyKey[] {
    return this.#verifyKeys;
  }

  put({ entity, id, body }: AccessChange): void {
    this.remove(entity, id);
    if (entity === 'apikey') this.#keys.set(id, body);
    else if (entity === 'apitoken') {
      this.#tokens.set(id, body);
      this.#tokensByHash.set(body.hash, body);
    } else if (entity === 'revocation') this.#revoked.add(id);
    else if (entity === 'tenant') this.#notBefore = body.notBefore ?? 0;
    else if (entity === 'verifykey') this.#verifyKeys = [...this.#verifyKeys, body];
    else this.#publicUrl = body.publicUrl;
  }

  remove(entity: keyof AccessBody, id: string): void {
    if (entity === 'apikey') this.#keys.delete(id);
    else if (entity === 'apitoken') {
      const known = this.#tokens.get(id);
      this.#tokens.delete(id);
      if (known !== undefined) this.#tokensByHash.delete(known.hash);
    } else if (entity === 'revocation') this.#revoked.delete(id);
    else if (entity === 'tenant') this.#notBefore = 0;
    else if (entity === 'verifykey') this.#verifyKeys = this.#verifyKeys.filter(({ kid }) => kid !== id);
    else this.#publicUrl = undefined;
  }

  clear(): void {
    this.#keys.clear();
    this.#tokens.clear();
    this.#tokensByHash.clear();
    this.#revoked.clear();
    this.#notBefore = 0;
    this.#publicUrl = undefined;
    this.#verifyKeys = [];
  }
}
