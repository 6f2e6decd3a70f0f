import { streamRequest } from '#appliance/call/sound/index.ts';
import { LegStreams } from '#appliance/call/sound/leg-streams.ts';
import { openStreamer } from '#appliance/io/stream/index.ts';
import type { LegId, Media } from '#appliance/media/control/index.ts';
import { programStreamSchema } from '#shared/contract/callback/index.ts';

/** Joins legs with programs, as calls of a media service are: the streamer's thread, a tap and a voice of each leg. */
export function openPrograms(media: Media) {
  const streamer = openStreamer({
    allowPrivate: ['127.0.0.0/8'],
    onEvent: (event) => streams.onStreamEvent(event),
  });
  const dependencies = {
    ...{ media, streamer },
    random: (length: number) => new Uint8Array(length),
    turn: (work: () => void) => work(),
    run: (work: Promise<unknown>) => void work,
  };
  const streams = new LegStreams(dependencies as unknown as ConstructorParameters<typeof LegStreams>[0]);
  return {
    /** Resolves when the program has taken the stream. */
    join: (streamId: string, url: string, leg: LegId): Promise<void> =>
      new Promise((resolve, reject) => {
        const target = programStreamSchema.parse({ url, framing: 'mediaStream', bidirectional: true });
        const names = { accountSid: 'bench', callSid: streamId };
        const source = { streamId, channels: [[leg]], tracks: ['inbound'], hearers: [leg], names } as const;
        streams.stream({
          ...streamRequest(target, source),
          onEvent: (event) => {
            if (event.kind === 'started') resolve();
            else if (event.kind === 'failed') reject(new Error(event.reason));
          },
        });
      }),
    close: () => streamer.close(),
  };
}
