import {
  CONFIG_KEY_ENTITY,
  type ConfigFault,
  type ConfigKey,
  configKeyRowSchema,
  parseSealed,
  type SealedSecret,
  secretPlace,
} from '#shared/contract/feed/index.ts';
import { mapSecrets } from '#shared/contract/provisioning/index.ts';
import type { RowKey } from './replica-store.ts';

/** The port of the adapter: the seal key of this machine stays there. */
export interface OpenKeys {
  /** Opens a wrapped key; undefined = it was not sealed for this machine. */
  readonly unwrap: (jwe: string) => Promise<ConfigKey | undefined>;
  /** Text of a secret; undefined = it does not belong to key and place. */
  readonly open: (key: ConfigKey, secret: SealedSecret, place: string) => string | undefined;
}

/** Codes of a NACK that another key could mend; the revision itself is good. */
const KEY_FAULTS: readonly string[] = ['keyMissing', 'keyUnreadable'];

export const isKeyFault = ({ code }: ConfigFault): boolean => KEY_FAULTS.includes(code);

/** Keys of the tenant as this host was given them, by version. */
export class KeyRing {
  readonly #tenant: string;
  readonly #open: OpenKeys['open'];
  readonly #keys = new Map<number, ConfigKey>();
  /** Given, and sealed for a key that this machine does not have. */
  readonly #unreadable = new Set<number>();

  private constructor(tenant: string, open: OpenKeys['open']) {
    this.#tenant = tenant;
    this.#open = open;
  }

  /** `rows`: bodies of the rows `configkey` of the host's scope. */
  static async from(tenant: string, rows: readonly unknown[], opener: OpenKeys): Promise<KeyRing> {
    const ring = new KeyRing(tenant, opener.open);
    for (const body of rows) {
      const row = configKeyRowSchema.safeParse(body).data;
      if (row === undefined) continue;
      const key = await opener.unwrap(row.jwe);
      if (key?.tenant === tenant && key.version === row.version) ring.#keys.set(row.version, key);
      else ring.#unreadable.add(row.version);
    }
    return ring;
  }

  /** The body with its secrets opened, or why it cannot be read. Unsealed text stays as it is. */
  opened(row: RowKey, body: unknown): { readonly body: unknown; readonly fault?: ConfigFault } {
    let fault: ConfigFault | undefined;
    const opened = mapSecrets(body, (value) => {
      const secret = parseSealed(value);
      if (secret === undefined) return value;
      const text = this.#textOf(row, secret);
      if (typeof text === 'string') return JSON.parse(text) as unknown;
      fault ??= text;
      return value;
    });
    return fault === undefined ? { body: opened } : { body: opened, fault };
  }

  #textOf(row: RowKey, secret: SealedSecret): string | ConfigFault {
    const { version } = secret;
    const key = this.#keys.get(version);
    if (key === undefined) return this.#faultOfKey(version);
    const text = this.#open(key, secret, secretPlace(this.#tenant, row, version));
    if (text !== undefined) return text;
    const msg = `a secret does not open with key version ${version}`;
    return { code: 'secretDamaged', path: `/${row.entity}/${row.id}`, msg };
  }

  #faultOfKey(version: number): ConfigFault {
    const path = `/${CONFIG_KEY_ENTITY}/${version}`;
    if (!this.#unreadable.has(version)) {
      const msg = `secrets are sealed with key version ${version}, which this host was not given`;
      return { code: 'keyMissing', path, msg };
    }
    const msg = `key version ${version} is sealed for another seal key than this machine's: enrol it anew`;
    return { code: 'keyUnreadable', path, msg };
  }
}
