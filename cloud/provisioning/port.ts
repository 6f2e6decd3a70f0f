import type { ProtocolProfile } from '#shared/contract/provisioning/index.ts';
import type { RandomBytes } from '#shared/id.ts';
import type { Store } from '../store/index.ts';

export interface ProvisioningPort {
  readonly store: Store;
  readonly random: RandomBytes;
  /** Digests of the UTF-8 text, lower-case hex. */
  readonly sha256: (text: string) => string;
  readonly md5: (text: string) => string;
  /** argon2id in PHC form; takes tens of milliseconds, so never inside a transaction. */
  readonly hashPassword: (password: string) => Promise<string>;
  /** What a protocol's own engine finds wrong in a profile, beyond its form; without it only the form is checked. */
  readonly contentFault?: (
    profile: ProtocolProfile,
  ) => { readonly path: string; readonly reason: string } | undefined;
}
