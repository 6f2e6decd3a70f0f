import {
  CONFIG_KEY_ENTITY,
  type ConfigKey,
  formatSealed,
  type Operation,
  secretPlace,
} from '#shared/contract/feed/index.ts';
import { mapSecrets } from '#shared/contract/provisioning/index.ts';
import {
  type Actor,
  type ConfigKeyRow,
  configKeyPlace,
  configKeysOf,
  configKeyWraps,
  deleteConfigKeys,
  type HostRow,
  insertConfigKey,
  type Lifecycle,
  lockTenant,
  newestConfigKey,
  putConfigKeyWrap,
  readConfigKeyWrap,
  readHost,
  recordAudit,
  recordChange,
  type Tx,
  tenantsWithConfigKey,
  tenantsWithLostKey,
} from '../store/index.ts';
import { DELTA_DAYS_MS } from './manifest.ts';
import type { FeedPort } from './port.ts';

/** Hosts that may have their configuration, and with it the key of their tenant. */
export const SERVED: readonly Lifecycle[] = ['commissioning', 'active', 'draining', 'drained'];

const OPENED_KEPT = 1_000;

/**
 * The keys by which the sites of a tenant open secrets (control plane, section 12). Each is made once, sealed at rest by
 * the vault, and given to every host wrapped for its own seal key, as a row of the host's scope:
 *
 *     first secret to send ──▶ version 1 ── a host that has it leaves ──▶ version 2 … ── 30 days superseded ──▶ removed
 *
 * Nothing is remembered of work under way: a host that lacks the newest version gets it when its twin or its manifest is made,
 * so a process that died in between goes on where it was.
 */
export class ConfigKeys {
  readonly #port: FeedPort;
  readonly #opened = new Map<string, ConfigKey>();

  constructor(port: FeedPort) {
    this.#port = port;
  }

  /** The key that seals now, made where the tenant has none. */
  async current(tenant: string): Promise<ConfigKey> {
    const row = (await newestConfigKey(this.#port.store, tenant)) ?? (await this.#make(tenant, 'first', 0));
    return this.#open(row);
  }

  /** Sees to it that this host can open what is sealed now. */
  async reach(host: HostRow): Promise<void> {
    const { store, configKeys, log } = this.#port;
    if (!SERVED.includes(host.lifecycle)) return;
    const { uid, tenant, sealKey } = host;
    const key = await this.current(tenant);
    const { x = '' } = sealKey;
    const wrap = await readConfigKeyWrap(store, tenant, key.version, uid);
    if (wrap?.sealKey === x) return;
    const jwe = await configKeys.wrap(key, sealKey);
    if (jwe === undefined) {
      log(
        'debug',
        'config_key.seal_failed',
        'Could not seal a configuration key for a host; the host must enrol again',
        { uid },
      );
      return;
    }
    await store.withTx(async (tx) => {
      const now = await readHost(tx, uid);
      // It has left meanwhile, or come with another key: nothing may be given to what was.
      if (now === undefined || !SERVED.includes(now.lifecycle) || now.sealKey.x !== x) return;
      // His twin and his manifest may be made at the same time.
      if ((await readConfigKeyWrap(tx, tenant, key.version, uid))?.sealKey === x) return;
      await putConfigKeyWrap(tx, { tenant, version: key.version, uid, sealKey: x });
      await this.#tell(tx, uid, key.version, { version: key.version, jwe });
    });
  }

  /** After hosts have left: a new key for each tenant, or this one, whose newest they know. Gives those tenants. */
  async renewLost(tenant?: string): Promise<string[]> {
    const lost = await tenantsWithLostKey(this.#port.store, SERVED, tenant);
    for (const each of lost) {
      const newest = await newestConfigKey(this.#port.store, each);
      await this.#make(each, 'a host has left', newest?.version ?? 0);
    }
    return lost;
  }

  /** Takes back the keys that no delta needs any more. */
  async forgetOld(): Promise<void> {
    const { store, nowMs } = this.#port;
    for (const tenant of await tenantsWithConfigKey(store)) {
      const keys = await configKeysOf(store, tenant);
      // A key is superseded when the next one was made.
      const old = keys.filter((_, at) => (keys[at + 1]?.createdAt ?? Infinity) < nowMs() - DELTA_DAYS_MS);
      for (const { version } of old) {
        await store.withTx(async (tx) => {
          for (const { uid } of await configKeyWraps(tx, tenant, version)) await this.#tell(tx, uid, version);
          await deleteConfigKeys(tx, tenant, [version]);
        });
      }
    }
  }

  /** The row as it travels to the hosts of a tenant. */
  sealed(key: ConfigKey, operation: Operation): Operation {
    if (operation.op === 'delete') return operation;
    const place = secretPlace(key.tenant, operation, key.version);
    const body = mapSecrets(operation.body, (secret) =>
      formatSealed({
        version: key.version,
        ...this.#port.configKeys.seal(key.k, place, JSON.stringify(secret)),
      }),
    );
    return { ...operation, body };
  }

  /** `after`: the version that stands; another one there already is as good. */
  async #make(tenant: string, reason: string, after: number): Promise<ConfigKeyRow> {
    const { store, vault, configKeys, nowMs } = this.#port;
    return await store.withTx(async (tx) => {
      // Another replica may be making it.
      await lockTenant(tx, tenant);
      const newest = await newestConfigKey(tx, tenant);
      if (newest !== undefined && newest.version > after) return newest;
      const version = after + 1;
      const sealed = vault.seal(configKeys.make(), configKeyPlace(tenant, version));
      const row: ConfigKeyRow = { tenant, version, sealed, createdAt: nowMs() };
      await insertConfigKey(tx, row);
      await recordAudit(tx, systemAt(nowMs()), {
        tenant,
        action: after === 0 ? 'create' : 'rotate',
        entity: CONFIG_KEY_ENTITY,
        entityId: String(version),
        detail: { reason },
      });
      return row;
    });
  }

  #open({ tenant, version, sealed }: ConfigKeyRow): ConfigKey {
    const known = this.#opened.get(sealed);
    if (known !== undefined) return known;
    const key = { tenant, version, k: this.#port.vault.open(sealed, configKeyPlace(tenant, version)) };
    if (this.#opened.size >= OPENED_KEPT) this.#opened.clear();
    this.#opened.set(sealed, key);
    return key;
  }

  /** Without a body: the row goes. */
  async #tell(tx: Tx, uid: string, version: number, body?: unknown): Promise<void> {
    await recordChange(tx, {
      scope: 'host',
      owner: uid,
      entity: CONFIG_KEY_ENTITY,
      id: String(version),
      ...(body === undefined ? { op: 'delete' } : { op: 'put', body }),
      at: this.#port.nowMs(),
    });
  }
}

const systemAt = (at: number): Actor => ({ name: 'system', address: '', requestId: '', at });
