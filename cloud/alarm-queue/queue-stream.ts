import type { WaitingAlarm } from '#shared/contract/alarm-queue/index.ts';
import type { Result } from '#shared/result.ts';
import { type Following, TenantFollowers } from '#shared/tenant-followers.ts';

/** `alarm`: an alarm as it is now; `reset`: read the list; `beat`: nothing new; `over`: the end. */
export type QueueEvent =
  | { readonly event: 'alarm'; readonly id: string; readonly data: WaitingAlarm }
  | { readonly event: 'reset'; readonly id: string; readonly data: Record<string, never> }
  | { readonly event: 'beat' | 'over' };

export type QueueFollower = Following<QueueEvent>;

const FROZEN_BEATS = 4;

/** Follows the alarm queues of tenants. Only the newest state of an alarm waits for a slow reader. */
export class QueueStream {
  readonly #followers = new TenantFollowers<QueueEvent, Follower>();

  /** Open streams at this control plane. */
  get size(): number {
    return this.#followers.size;
  }

  /** Fails with `tooManyRequests`. `onFrozen`: the reader has asked for nothing in a minute. */
  listen(tenant: string, onFrozen: () => void): Result<QueueFollower> {
    return this.#followers.join(tenant, () => new Follower(onFrozen));
  }

  /** An alarm that was committed. */
  add(tenant: string, alarm: WaitingAlarm): void {
    for (const follower of this.#followers.of(tenant)) follower.add(alarm);
  }

  /** Every 15 s. */
  beat(): void {
    this.#followers.beat();
  }

  close(): void {
    this.#followers.close();
  }
}

class Follower {
  readonly #onFrozen: () => void;
  readonly #waiting = new Map<string, WaitingAlarm>();
  /** The first event of each stream: whoever comes back reads the list. */
  #isNew = true;
  #hasBeat = false;
  #isOver = false;
  #idleBeats = 0;
  #wake: (() => void) | undefined;

  constructor(onFrozen: () => void) {
    this.#onFrozen = onFrozen;
  }

  add(alarm: WaitingAlarm): void {
    this.#waiting.set(alarm.alarmId, alarm);
    this.#wake?.();
  }

  async next(): Promise<QueueEvent> {
    this.#idleBeats = 0;
    for (;;) {
      const event = this.#first();
      if (event !== undefined) return event;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#wake = undefined;
    }
  }

  beat(): void {
    if (this.#wake === undefined) {
      this.#idleBeats += 1;
      if (this.#idleBeats >= FROZEN_BEATS) this.#onFrozen();
      return;
    }
    this.#hasBeat = true;
    this.#wake();
  }

  end(): void {
    this.#isOver = true;
    this.#wake?.();
  }

  #first(): QueueEvent | undefined {
    if (this.#isOver) return { event: 'over' };
    if (this.#isNew) {
      this.#isNew = false;
      return { event: 'reset', id: 'reset', data: {} };
    }
    for (const [id, data] of this.#waiting) {
      this.#waiting.delete(id);
      return { event: 'alarm', id: `${id}:${data.turn}`, data };
    }
    const hasBeat = this.#hasBeat;
    this.#hasBeat = false;
    return hasBeat ? { event: 'beat' } : undefined;
  }
}
