import { REMOTE_ARGS } from '#shared/contract/feed/index.ts';
import type { Log } from '#shared/log.ts';
import type { Redelivery } from './redelivery.ts';

export interface ReplayRequestPorts {
  /** The place of the request, for the log. */
  readonly place: string;
  /** Takes the request away and gives its text; undefined: there is none. Throws where it cannot be read. */
  readonly take: () => string | undefined;
  readonly replay: Redelivery['replay'];
  readonly log: Log;
}

/**
 * Takes up the request of a person on site to send dead letters again. The request is taken away first: a damaged one must not come
 * again with every start.
 */
export function takeReplayRequest({ place, take, replay, log }: ReplayRequestPorts): void {
  let text: string | undefined;
  try {
    text = take();
  } catch (cause) {
    log('error', 'dead_letter.request_read_failed', 'Could not read the request to send dead letters again', {
      file: place,
      cause: String(cause),
    });
    return;
  }
  if (text === undefined) return;
  try {
    const { ids } = REMOTE_ARGS['outbox.replay'].parse(JSON.parse(text));
    log('info', 'dead_letter.requeued', 'Queued dead letters again as requested on site', {
      taken: replay(ids),
    });
  } catch (cause) {
    log('error', 'dead_letter.request_damaged', 'Ignored a damaged request to send dead letters again', {
      cause: String(cause),
    });
  }
}
