import type { RecordTranscript } from '#shared/contract/session-record/index.ts';
import type { Result } from '#shared/result.ts';
import { type Following, TenantFollowers } from '#shared/tenant-followers.ts';
import type { KnownLines, TranscriptLook, TranscriptRelay } from './transcript-relay.ts';

/** `words`: what is new; `end`: nothing more comes; `beat`: nothing new; `over`: the end. */
export type TranscriptEvent =
  | { readonly event: 'words' | 'end'; readonly id: string; readonly data: RecordTranscript }
  | { readonly event: 'beat' | 'over' };

interface FollowPort {
  readonly transcripts: Pick<TranscriptRelay, 'read' | 'state'>;
  /** Resolves after this time. */
  readonly pause: (ms: number) => Promise<void>;
}

/** Chosen: the hosts are asked again after this, ms: words are on the screen within a second and a half. */
const STEP_MS = 1_000;
/** A sign of life, where nothing is said. */
const BEAT_STEPS = 15;

/** Followers of the words of sessions that run. A reader that asks for nothing costs no host a question. */
export class TranscriptStreams {
  readonly #port: FollowPort;
  readonly #followers = new TenantFollowers<TranscriptEvent, Follower>();

  constructor(port: FollowPort) {
    this.#port = port;
  }

  /** Fails with `tooManyRequests`. */
  listen(look: TranscriptLook): Result<Following<TranscriptEvent>> {
    return this.#followers.join(look.row.tenant, () => new Follower(this.#port, look));
  }

  close(): void {
    this.#followers.close();
  }
}

class Follower {
  readonly #port: FollowPort;
  readonly #look: TranscriptLook;
  readonly #known: KnownLines = new Map();
  #shown = '';
  #isOver = false;
  #count = 0;

  constructor(port: FollowPort, look: TranscriptLook) {
    this.#port = port;
    this.#look = look;
  }

  async next(): Promise<TranscriptEvent> {
    for (let step = 0; ; step++) {
      if (this.#isOver) return { event: 'over' };
      if (step === BEAT_STEPS) return { event: 'beat' };
      if (this.#count > 0 || step > 0) await this.#port.pause(STEP_MS);
      const state = await this.#port.transcripts.state(this.#look);
      if (state === 'erased') return { event: 'over' };
      const isLive = this.#count > 0 && state === 'running';
      const words = await this.#port.transcripts.read(this.#look, this.#known, isLive);
      // The state was read before the words: a session that is over says nothing more after them.
      if (state === 'over' && words.recordings.every(({ running }) => !running)) {
        this.#isOver = true;
        return this.#event('end', words);
      }
      if (this.#isNew(words)) return this.#event('words', words);
    }
  }

  beat(): void {}

  end(): void {
    this.#isOver = true;
  }

  #event(event: 'words' | 'end', data: RecordTranscript): TranscriptEvent {
    return { event, id: `${++this.#count}`, data };
  }

  /** New lines, or something else than before that is being spoken. */
  #isNew({ hosts, recordings }: RecordTranscript): boolean {
    const hasLines = recordings.some(({ lines }) => lines.length > 0);
    const shown = JSON.stringify([
      hosts,
      recordings.map(({ recordingId, running, partials, missed }) => [
        recordingId,
        running,
        partials,
        missed,
      ]),
    ]);
    const isNew = hasLines || shown !== this.#shown;
    this.#shown = shown;
    return isNew;
  }
}
