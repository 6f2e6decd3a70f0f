import type { RandomBytes } from '#shared/id.ts';
import type { Store } from '../../store/index.ts';

export interface ProvisioningPort {
  readonly store: Store;
  readonly random: RandomBytes;
  /** Digests of the UTF-8 text, lower-case hex. */
  readonly sha256: (text: string) => string;
  readonly md5: (text: string) => string;
  /** argon2id in PHC form; takes tens of milliseconds, so never inside a transaction. */
  readonly hashPassword: (password: string) => Promise<string>;
  /** The reason why a credential of callbacks cannot sign; undefined: it can. */
  readonly signingFault: (entry: { readonly type: string; readonly secret: string }) => string | undefined;
}
