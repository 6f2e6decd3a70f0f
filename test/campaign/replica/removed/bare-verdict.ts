import type { SilenceVerdict, Tx } from '#cloud/store/index.ts';
import { putSilenceVerdict as put } from '#cloud/store/site/silence.ts';

export * from '#cloud/store/site/silence.ts';

/** A judgement that does not keep when the trouble began and ended. */
export const putSilenceVerdict = (tx: Tx, { tenants, heard }: SilenceVerdict): Promise<void> =>
  put(tx, { tenants, heard });
