import { REMOTE_ARGS } from '#shared/contract/feed/index.ts';
import type { RemoteOperation } from '../remote-operation.ts';
import { invalid } from './answer.ts';

/** Masked copies of callbacks that this host keeps for a while. */
export interface KeptCopies {
  /** Undefined: the tenant lets no copies leave. */
  readonly read: (wanted: {
    /** Number of the last copy that was read. */
    readonly after?: number | undefined;
    readonly traceId?: string | undefined;
    readonly filter?: string | undefined;
  }) => object | undefined;
}

/** The question of the cloud for a developer who listens. */
export const copyOperations = (copies: KeptCopies): Readonly<Record<'callback.copies', RemoteOperation>> => ({
  'callback.copies': ({ args }) => {
    const asked = REMOTE_ARGS['callback.copies'].safeParse(args);
    if (!asked.success) return invalid('/args is not after, traceId and filter');
    const answer = copies.read(asked.data);
    if (answer === undefined)
      return {
        ok: false,
        code: 'copiesOff',
        reason: 'the tenant lets no copies of callbacks leave (callbackCopies)',
      };
    return { ok: true, value: { ...answer } };
  },
});
