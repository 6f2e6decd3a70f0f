import type { LegId } from '../../media/control/index.ts';
import type { ParticipantId, WiredStream } from '../media-session/index.ts';
import { type LiveStream, type Sound, type StreamProgress, streamRequest } from '../sound/index.ts';

export interface SessionStreamsDependencies {
  readonly sound: Sound | undefined;
  readonly legOf: (participant: ParticipantId) => LegId | undefined;
  /** Tenant and session, in the words of the messages. */
  readonly names: { readonly accountSid: string; readonly callSid: string };
  /** A stream began or ended; the end comes once. */
  readonly onStream: (wired: WiredStream, event: StreamProgress) => void;
}

interface Running {
  wired: WiredStream;
  live: LiveStream | undefined;
  key: string;
}

/** The programs of one session: begun, changed and ended by what the wiring says. */
export class SessionStreams {
  readonly #dependencies: SessionStreamsDependencies;
  readonly #running = new Map<string, Running>();

  constructor(dependencies: SessionStreamsDependencies) {
    this.#dependencies = dependencies;
  }

  /** Streams that are no more take their last frame before their legs go. */
  end(next: readonly WiredStream[], connections: readonly string[]): void {
    for (const [id, { wired, live }] of [...this.#running]) {
      if (next.some((each) => each.id === id)) continue;
      this.#running.delete(id);
      live?.stop(connections.includes(wired.connection) ? 'stopped' : 'callEnded');
    }
  }

  wire(next: readonly WiredStream[]): void {
    for (const wired of next) this.#wire(wired);
  }

  /** A participant has pressed a key: programs hear it on the channel on which they hear the participant. */
  digit(participant: ParticipantId, digit: string): void {
    for (const { wired, live } of this.#running.values()) {
      const channel = wired.sides.findIndex((side) => side.includes(participant));
      const track = wired.tracks[channel];
      if (track !== undefined) live?.digit(digit, track);
    }
  }

  #wire(wired: WiredStream): void {
    const { sound, names, onStream } = this.#dependencies;
    const channels = wired.sides.map((side) => this.#legs(side));
    const hearers = this.#legs(wired.hearers);
    const key = JSON.stringify([channels, hearers]);
    const running = this.#running.get(wired.id);
    if (running !== undefined) {
      running.wired = wired;
      if (running.key === key) return;
      running.key = key;
      running.live?.change(channels, hearers);
      return;
    }
    const now: Running = { wired, live: undefined, key };
    this.#running.set(wired.id, now);
    const request = streamRequest(wired.target, {
      streamId: wired.id,
      channels,
      tracks: wired.tracks,
      hearers,
      names,
    });
    const onEvent = (event: StreamProgress): void => {
      if (event.kind !== 'started') this.#running.delete(wired.id);
      onStream(wired, event);
    };
    const begun = sound?.stream({ ...request, onEvent });
    if (begun?.ok === true) now.live = begun.value;
    else {
      const reason = begun?.error.reason ?? 'this appliance streams nothing';
      onEvent({ kind: 'failed', reason, droppedMs: 0, reconnects: 0 });
    }
  }

  #legs(side: readonly ParticipantId[]): readonly LegId[] {
    return side.map((each) => this.#dependencies.legOf(each)).filter((leg) => leg !== undefined);
  }
}
