import type { Media } from '../media/control/index.ts';

/**
 * A media worker that is late takes no new calls (media 18): that is told like a service that is not well, until every one
 * keeps up again. Begun after the calls listen to the engine.
 *
 * @param fault what is wrong and what can be done; undefined: nothing any more
 */
export function watchMediaLoad(
  media: Pick<Media, 'onEvent'>,
  fault: (message: string | undefined) => void,
): void {
  const late = new Set<number>();
  const { onEvent } = media;
  media.onEvent = (event) => {
    const before = late.size;
    if (event.kind === 'overload' && event.on) late.add(event.worker);
    // The one that follows a dead worker begins in time.
    else if (event.kind === 'overload' || event.kind === 'lost') late.delete(event.worker);
    if (before === 0 && late.size > 0)
      fault('audio is late: new calls get 503, running ones go on; this machine has too much to do');
    if (before > 0 && late.size === 0) fault(undefined);
    onEvent(event);
  };
}
