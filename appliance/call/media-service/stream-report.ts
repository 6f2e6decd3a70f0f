import { MEDIA_STREAM_EVENTS } from '#shared/contract/callback/index.ts';
import type { WiredStream } from '../media-session/index.ts';
import { type StreamProgress, streamedOf } from '../sound/index.ts';
import type { MediaCallbacks } from './media-callbacks.ts';
import type { MediaServiceSession } from './media-service-session.ts';

const CALLBACK = { started: 'streamStarted', stopped: 'streamStopped', failed: 'streamFailed' } as const;

/** streamStarted, streamStopped or streamFailed; also when its session is over by then. */
export function reportStream(
  callbacks: MediaCallbacks,
  session: MediaServiceSession,
  { id: streamId, connection: connectionId, target }: WiredStream,
  progress: StreamProgress,
): void {
  const { url, streamReferenceId } = target;
  const { kind, ...facts } = progress;
  session.trace.add('streamed', streamedOf(streamId, url, progress));
  callbacks.report(CALLBACK[kind], session.origin(connectionId), {
    ...{ event: MEDIA_STREAM_EVENTS[kind], connectionId, streamId, url },
    ...(streamReferenceId !== undefined && { streamReferenceId }),
    ...facts,
  });
}
