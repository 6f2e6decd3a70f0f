import { breakerAllows, breakerFailed, closedBreaker } from './breaker.ts';
import type { DeliveryResult, Now, Outbox, OutboxEffect, OutboxInput } from './delivery.ts';
import { Destination, type Item, type KeyQueue } from './destination.ts';
import { faultOf, mostRefusals, retryDelayMs } from './retry.ts';
import { cloudDestination, type ExpirePolicy, isYielding, type OutboxChange, type OutboxRow } from './row.ts';
import { WakeQueue } from './wake-queue.ts';

export interface OutboxSetting {
  /** The moment at which the journal was opened. */
  readonly now: Now;
  /** `Journal.runningMs`. */
  readonly runningMs: number;
  /** In [0, 1). */
  readonly random: () => number;
}

const mostInFlight = 128;
const mostInFlightPerDestination = 32;
const largestBody = 256 * 1024;
const hourMs = 3_600_000;
const lifeMs: Readonly<Record<ExpirePolicy, number>> = { record: 7 * 24 * hourMs, telemetry: 24 * hourMs };
/** No record expires before it has been tried for so long after a start. */
const graceMs = 30 * 60_000;
const longestWaitMs = 300_000;
const noteRunningEveryMs = 10 * 60_000;

/**
 * Delivery of records (control plane 5, decisions 4.1). One record:
 *
 *   queued --its turn--> under way --2xx--------------------------> done
 *   recovered              |  ^
 *   released               |  `--wait is over, turn comes again-- waiting
 *   redeliver              |--passing failure, time left-----------^
 *                          `--third refusal, or time over---------> dead, alarm callbackFailed
 *   queued, larger than 256 KiB ----------------------------------> dead, alarm callbackFailed
 *
 * Its turn: first of its (dest, orderKey), fewer than 32 under way at the destination and 128 in all, breaker closed
 * or a probe due. The state is kept in place, since a long outage leaves thousands of records here and a step must
 * cost the same with them as without.
 */
export class OutboxPolicy implements Outbox {
  private readonly setting: OutboxSetting;
  private readonly destinations = new Map<string, Destination>();
  private readonly inFlight = new Map<string, KeyQueue>();
  private readonly wakes = new WakeQueue<KeyQueue | Destination>();
  private wakeAskedMs: number | undefined;
  private runningNotedMs: number;

  constructor(setting: OutboxSetting) {
    this.setting = setting;
    this.runningNotedMs = setting.now.monoMs;
  }

  step(input: OutboxInput): readonly OutboxEffect[] {
    const effects: OutboxEffect[] = [];
    const { now } = input;
    switch (input.kind) {
      case 'recovered':
        for (const row of input.rows) this.recover(row, now, effects);
        break;
      case 'queued':
        this.enqueue(input.row, now, effects);
        break;
      case 'released':
        this.release(input.row, input.reason, now, effects);
        break;
      case 'redeliver':
        this.redeliver(input.row, now, effects);
        break;
      case 'result':
        this.settle(input.id, input.result, now, effects);
        break;
      case 'withdrawn':
        for (const destination of this.destinations.values()) this.withdraw(destination, input.ids);
        break;
      case 'reached': {
        const destination = this.destinations.get(input.dest);
        if (destination !== undefined) this.gotThrough(destination);
        break;
      }
      case 'wake':
        this.wakeAskedMs = undefined;
        break;
    }
    this.takeDue(now);
    this.startAttempts(now, effects);
    this.noteRunning(now, effects);
    this.askWake(effects);
    return effects;
  }

  deadline(policy: ExpirePolicy, now: Now): number {
    return this.runningMs(now) + lifeMs[policy];
  }

  isInFlight(id: string): boolean {
    return this.inFlight.has(id);
  }

  depth(): ReadonlyMap<string, number> {
    const depth = new Map<string, number>();
    for (const destination of this.destinations.values()) {
      let count = 0;
      for (const queue of destination.queues.values()) count += queue.items.length;
      depth.set(destination.name, count);
    }
    return depth;
  }

  /** A live chain that died with the program has the same end as one that failed. */
  private recover(row: OutboxRow, now: Now, effects: OutboxEffect[]): void {
    if (row.state === 'inflight') this.release(row, 'the program was restarted', now, effects);
    else this.enqueue(row, now, effects);
  }

  /** The live chain was the first attempt. */
  private release(row: OutboxRow, reason: string, now: Now, effects: OutboxEffect[]): void {
    const attempts = row.attempts + 1;
    const waitMs = retryDelayMs(attempts, this.setting.random());
    const change = {
      state: 'new',
      late: true,
      attempts,
      lastErr: reason,
      notBefore: now.wallMs + waitMs,
    } as const;
    write(row.id, change, now, effects);
    this.enqueue({ ...row, ...change }, now, effects);
  }

  private redeliver(row: OutboxRow, now: Now, effects: OutboxEffect[]): void {
    const change = {
      state: 'new',
      late: true,
      attempts: 0,
      notBefore: 0,
      deadline: this.deadline(row.expirePolicy, now),
    } as const;
    write(row.id, change, now, effects);
    this.enqueue({ ...row, ...change }, now, effects);
  }

  private enqueue(row: OutboxRow, now: Now, effects: OutboxEffect[]): void {
    if (row.dest === cloudDestination) return;
    if (Buffer.byteLength(row.body) > largestBody) {
      bury(row, `the body is larger than ${largestBody} bytes`, now, effects);
      return;
    }
    const queue = this.destination(row.dest).queue(row.orderKey);
    // A platform alarm that could not be stored is queued by its sender, and released by the journal that holds it.
    if (queue.items.some((item) => item.row.id === row.id)) return;
    const wasEmpty = queue.items.length === 0;
    queue.insert({ row, refusals: 0 });
    // A wall clock that was set back must not hold a record for longer than a retry would.
    const waitMs = Math.min(row.notBefore - now.wallMs, longestWaitMs);
    if (wasEmpty && waitMs > 0) this.wait(queue, now.monoMs + waitMs);
    else if (wasEmpty) queue.destination.ready.add(queue);
  }

  private settle(id: string, result: DeliveryResult, now: Now, effects: OutboxEffect[]): void {
    const queue = this.inFlight.get(id);
    const item = queue?.items[0];
    // No caller waits for this result: it is the second one of an attempt.
    if (queue === undefined || item === undefined) return;
    this.inFlight.delete(id);
    queue.isInFlight = false;
    queue.destination.inFlight--;
    if (isYielding(item.row)) queue.destination.yielding--;
    if (result.kind === 'delivered') {
      const { authIdx = item.row.authIdx } = result;
      write(id, { state: 'done', attempts: item.row.attempts, authIdx, lastErr: null }, now, effects);
      this.gotThrough(queue.destination);
      this.next(queue);
    } else {
      this.fail(queue, item, result, now, effects);
    }
  }

  private fail(
    queue: KeyQueue,
    item: Item,
    result: Exclude<DeliveryResult, { kind: 'delivered' }>,
    now: Now,
    effects: OutboxEffect[],
  ): void {
    const { destination } = queue;
    const fault = faultOf(result);
    if (fault === 'destination') destination.breaker = breakerFailed(destination.breaker, now.monoMs);
    else this.gotThrough(destination);
    if (fault === 'refusal') item.refusals++;

    const end =
      item.refusals >= mostRefusals ? 'refused' : this.isOver(item.row, now) ? 'expired' : undefined;
    if (end !== undefined) {
      bury(item.row, `${end}: ${result.reason}`, now, effects);
      this.next(queue);
      return;
    }
    const retryAfterS = result.kind === 'refused' ? result.retryAfterS : undefined;
    const waitMs = retryDelayMs(item.row.attempts, this.setting.random(), retryAfterS);
    const change = { notBefore: now.wallMs + waitMs, attempts: item.row.attempts, lastErr: result.reason };
    write(item.row.id, change, now, effects);
    item.row = { ...item.row, ...change };
    // An order to wait is kept even when the destination turns out to be there.
    if (fault === 'destination' && retryAfterS === undefined) destination.faulted.add(queue);
    this.wait(queue, now.monoMs + waitMs);
  }

  private isOver(row: OutboxRow, now: Now): boolean {
    const triedMs = now.monoMs - this.setting.now.monoMs;
    return triedMs >= graceMs && this.runningMs(now) >= row.deadline;
  }

  private withdraw(destination: Destination, ids: ReadonlySet<string>): void {
    for (const queue of [...destination.queues.values()]) {
      const first = queue.items[0];
      const kept = queue.items.filter(({ row }) => !ids.has(row.id) || this.inFlight.has(row.id));
      if (kept.length === queue.items.length) continue;
      queue.items.splice(0, queue.items.length, ...kept);
      if (kept.length === 0) {
        destination.queues.delete(queue.key);
        destination.ready.delete(queue);
        destination.faulted.delete(queue);
        queue.waitsUntilMs = undefined;
      } else if (kept[0] !== first && !queue.isInFlight) {
        // The rows behind the removed one have nothing to wait for.
        queue.waitsUntilMs = undefined;
        destination.ready.add(queue);
      }
    }
    if (destination.idle) this.destinations.delete(destination.name);
  }

  /** The first record of the queue has its end; the one behind it is due. */
  private next(queue: KeyQueue): void {
    const { destination } = queue;
    queue.items.shift();
    if (queue.items.length > 0) destination.ready.add(queue);
    else destination.queues.delete(queue.key);
    if (destination.idle) this.destinations.delete(destination.name);
  }

  /** The destination is there. When its breaker was open, what waited for it need not wait longer. */
  private gotThrough(destination: Destination): void {
    if (destination.breaker.probeAtMs !== undefined) {
      for (const queue of destination.faulted) {
        queue.waitsUntilMs = undefined;
        destination.ready.add(queue);
      }
      destination.faulted.clear();
    }
    destination.breaker = closedBreaker;
  }

  private wait(queue: KeyQueue, untilMs: number): void {
    queue.waitsUntilMs = untilMs;
    this.wakes.push(untilMs, queue);
  }

  private takeDue(now: Now): void {
    for (;;) {
      const due = this.wakes.takeDue(now.monoMs);
      if (due === undefined) return;
      // A destination among them is a probe, which startAttempts looks at; an old request of a queue is void.
      if (due instanceof Destination || due.waitsUntilMs === undefined || due.waitsUntilMs > now.monoMs)
        continue;
      due.waitsUntilMs = undefined;
      due.destination.faulted.delete(due);
      due.destination.ready.add(due);
    }
  }

  private startAttempts(now: Now, effects: OutboxEffect[]): void {
    for (const destination of this.destinations.values()) {
      const most = breakerAllows(destination.breaker, now.monoMs, mostInFlightPerDestination);
      while (destination.inFlight < most && this.inFlight.size < mostInFlight) {
        const queue = destination.takeReady(most);
        if (queue === undefined) break;
        this.start(queue, effects);
      }
      const { probeAtMs } = destination.breaker;
      const asked = destination.probeAskedMs === probeAtMs;
      if (probeAtMs !== undefined && probeAtMs > now.monoMs && destination.ready.size > 0 && !asked) {
        destination.probeAskedMs = probeAtMs;
        this.wakes.push(probeAtMs, destination);
      }
    }
  }

  private start(queue: KeyQueue, effects: OutboxEffect[]): void {
    const item = queue.items[0];
    if (item === undefined) return;
    item.row = { ...item.row, attempts: item.row.attempts + 1 };
    queue.isInFlight = true;
    queue.destination.inFlight++;
    if (isYielding(item.row)) queue.destination.yielding++;
    this.inFlight.set(item.row.id, queue);
    effects.push({ kind: 'attempt', row: item.row, number: item.row.attempts });
  }

  private noteRunning(now: Now, effects: OutboxEffect[]): void {
    if (now.monoMs - this.runningNotedMs < noteRunningEveryMs) return;
    this.runningNotedMs = now.monoMs;
    effects.push({ kind: 'write', write: { kind: 'runningMs', ms: Math.round(this.runningMs(now)) } });
  }

  private askWake(effects: OutboxEffect[]): void {
    const nextMs = this.wakes.nextMs;
    if (nextMs === undefined || nextMs === this.wakeAskedMs) return;
    this.wakeAskedMs = nextMs;
    effects.push({ kind: 'wakeAt', monoMs: nextMs });
  }

  private runningMs(now: Now): number {
    return this.setting.runningMs + now.monoMs - this.setting.now.monoMs;
  }

  private destination(name: string): Destination {
    const known = this.destinations.get(name);
    if (known !== undefined) return known;
    const made = new Destination(name);
    this.destinations.set(name, made);
    return made;
  }
}

function write(id: string, change: OutboxChange, now: Now, effects: OutboxEffect[]): void {
  effects.push({ kind: 'write', write: { kind: 'outboxChange', id, atMs: now.wallMs, change } });
}

function bury(row: OutboxRow, reason: string, now: Now, effects: OutboxEffect[]): void {
  write(row.id, { state: 'dead', attempts: row.attempts, lastErr: reason }, now, effects);
  effects.push({ kind: 'raise', row, reason });
}
