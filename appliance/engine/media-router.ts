import type { MediaEvent } from '../media/control/index.ts';

interface MediaListener {
  onMediaEvent(event: MediaEvent): void;
}

/** Those who own legs of the media engine, or work on legs of others. */
export interface MediaOwners {
  /** True: the event is of one of its own legs, which no other owner knows. */
  readonly selfCalls: { onMediaEvent(event: MediaEvent): boolean };
  readonly sound: MediaListener | undefined;
  readonly calls: MediaListener;
  readonly services: MediaListener;
}

/**
 * The one listener of the engine to its audio: each event reaches the owner of its leg. Sound hears first, so that a recording
 * whose worker is lost is reported as lost and not as ended by its call; a media service hears last, when its call knows.
 */
export const routeMediaEvents =
  ({ selfCalls, sound, calls, services }: MediaOwners) =>
  (event: MediaEvent): void => {
    if (selfCalls.onMediaEvent(event)) return;
    sound?.onMediaEvent(event);
    calls.onMediaEvent(event);
    services.onMediaEvent(event);
  };
