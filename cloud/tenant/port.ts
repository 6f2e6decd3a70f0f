import type { RandomBytes } from '#shared/id.ts';
import type { Store } from '../store/index.ts';

export interface TenancyPort {
  readonly store: Store;
  readonly random: RandomBytes;
  /** SHA-256 of the UTF-8 text, lower-case hex. */
  readonly sha256: (text: string) => string;
  /** `{base_url}`: the `aud` that tokens may name. */
  readonly publicUrl: string;
  /** SHA-256 of the platform owner's token. */
  readonly bootstrapTokenHash: string;
  /** Why the tenant cannot be deleted now, one sentence; null = nothing holds it. Asked inside the transaction. */
  readonly tenantHeldBy?: TenantHold;
}

export type TenantHold = (
  tx: Parameters<Parameters<Store['withTx']>[0]>[0],
  tenant: string,
) => Promise<string | null>;
