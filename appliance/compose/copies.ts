import { REMOTE_ARGS } from '#shared/contract/feed/index.ts';
import type { CallbackCopies } from '../delivery/copy/index.ts';
import type { RemoteOperation } from '../site/host/site-port.ts';

/** The question of the cloud for a developer who listens. */
export const copyOperations = (
  copies: Pick<CallbackCopies, 'read'>,
): Readonly<Record<string, RemoteOperation>> => ({
  'callback.copies': ({ args }) => {
    const wish = REMOTE_ARGS['callback.copies'].safeParse(args);
    if (!wish.success)
      return { ok: false, code: 'invalid', reason: '/args is not after, traceId and filter' };
    const answer = copies.read(wish.data);
    return answer === undefined
      ? {
          ok: false,
          code: 'copiesOff',
          reason: 'the tenant lets no copies of callbacks leave (callbackCopies)',
        }
      : { ok: true, value: { ...answer } };
  },
});
