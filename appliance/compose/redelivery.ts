import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { REMOTE_ARGS } from '#shared/contract/feed/index.ts';
import type { Redelivery } from '../delivery/redelivery.ts';
import type { Log } from '../io/system/index.ts';
import type { RemoteOperation } from '../site/host/site-port.ts';

/** Where `carillon outbox replay` lays what a person on site wants sent again. */
export const replayFile = (folder: string): string => join(folder, 'outbox-replay.json');

const WRONG = { ok: false, code: 'invalid' } as const;

/** Requests of the cloud about dead letters. */
export const outboxOperations = (desk: Redelivery): Readonly<Record<string, RemoteOperation>> => ({
  'outbox.list': ({ args }) => {
    const wish = REMOTE_ARGS['outbox.list'].safeParse(args);
    if (!wish.success) return { ...WRONG, reason: '/args is not after and limit' };
    const { after, limit } = wish.data;
    const letters = desk.list(after, limit);
    const last = letters.length < limit ? undefined : letters.at(-1)?.seq;
    return { ok: true, value: { letters, ...(last === undefined ? {} : { after: last }) } };
  },
  'outbox.replay': ({ args }) => {
    const wish = REMOTE_ARGS['outbox.replay'].safeParse(args);
    if (!wish.success) return { ...WRONG, reason: '/args/ids is no list of ids' };
    return { ok: true, value: { taken: desk.replay(wish.data.ids) } };
  },
});

/** Takes up what was laid down on site. The file goes first: a damaged one must not come again with every start. */
export function takeReplay(folder: string, desk: Redelivery, log: Log): void {
  const file = replayFile(folder);
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
    rmSync(file);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ENOENT')
      log(
        'error',
        'dead_letter.request_read_failed',
        'Could not read the request to send dead letters again',
        {
          file,
          cause: String(cause),
        },
      );
    return;
  }
  try {
    const { ids } = REMOTE_ARGS['outbox.replay'].parse(JSON.parse(text));
    log('info', 'dead_letter.requeued', 'Queued dead letters again as requested on site', {
      taken: desk.replay(ids),
    });
  } catch (cause) {
    log('error', 'dead_letter.request_damaged', 'Ignored a damaged request to send dead letters again', {
      cause: String(cause),
    });
  }
}
