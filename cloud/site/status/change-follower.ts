import type { SiteNews } from '#shared/contract/site/index.ts';
import type { ChangeLog } from './change-log.ts';

/** The next event of a listener; `beat` = no change, `over` = the end of the stream. */
export type FollowedEvent = SiteNews | { readonly event: 'beat' | 'over' };

/**
 * A listener: a position in the log and no queue. A slow reader finds the changes that are still kept, or must ask again.
 */
export class ChangeFollower {
  readonly #changeLog: ChangeLog;
  #at: number | undefined;
  #over = false;
  #beat = false;
  #wake: (() => void) | undefined;
  /** Beats since it last asked for more. */
  idleBeats = 0;

  /** `lastEventId`: what it heard last, if it was there before. */
  constructor(changeLog: ChangeLog, lastEventId: string | undefined) {
    this.#changeLog = changeLog;
    this.#at = lastEventId === undefined ? undefined : changeLog.numberOf(lastEventId);
  }

  /** Waits for what comes next. Asked again only after the answer. */
  async next(): Promise<FollowedEvent> {
    this.idleBeats = 0;
    for (;;) {
      if (this.#over) return { event: 'over' };
      const missed = this.#at === undefined ? null : this.#changeLog.after(this.#at);
      if (missed === null) {
        this.#at = this.#changeLog.last;
        return { event: 'reset', id: this.#changeLog.idOf(this.#at), data: {} };
      }
      if (missed !== undefined) {
        this.#at = (this.#at ?? 0) + 1;
        return missed;
      }
      if (this.#beat) {
        this.#beat = false;
        return { event: 'beat' };
      }
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#wake = undefined;
    }
  }

  /** The log has grown. */
  stir(): void {
    this.#wake?.();
  }

  /** Time passes: whoever waits is given a sign of life. */
  beat(): void {
    if (this.#wake === undefined) this.idleBeats += 1;
    else this.#beat = true;
    this.stir();
  }

  end(): void {
    this.#over = true;
    this.stir();
  }
}
