import type { CopyWrite } from '#shared/contract/peer/index.ts';
import { type CopyEffect, CopyLane, type Member } from '../../peer/index.ts';
import { Timer } from '../site-port.ts';
import type { PeerPorts } from './peer-port.ts';
import type { Copies } from './site-journal.ts';

const COPY_WITHIN_MS = 2_000;

type CopyPorts = Pick<PeerPorts, 'self' | 'call' | 'clock' | 'run' | 'startTimer'>;

/** Copies of our rows on their way to whoever holds them; the order and the waiting are the lane's (`appliance/site/peer`). */
export class SiteCopies implements Copies {
  readonly #ports: CopyPorts;
  readonly #member: (uid: string) => Member | undefined;
  readonly #timer: Timer;
  readonly #lane = new CopyLane();
  readonly #waiting = new Map<number, (copied: boolean) => void>();
  /** Rows of ours that the holder has, not yet delivered. */
  readonly #held = new Set<string>();
  #waits = 0;
  #holders = 0;
  #stopped = false;

  constructor(ports: CopyPorts, member: (uid: string) => Member | undefined) {
    this.#ports = ports;
    this.#member = member;
    this.#timer = new Timer(ports);
  }

  stop(): void {
    this.#stopped = true;
    this.#timer.stop();
  }

  /** uid of who holds our rows. */
  get heldBy(): string | undefined {
    return this.#lane.holder;
  }

  /** Another host keeps this row of ours too. */
  isHeld(id: string): boolean {
    return this.#held.has(id);
  }

  readonly available = (): boolean => this.#lane.holder !== undefined;

  readonly holder = (): number => this.#holders;

  readonly copy = (writes: readonly CopyWrite[]): Promise<boolean> =>
    new Promise((resolve) => {
      const wait = ++this.#waits;
      this.#waiting.set(wait, resolve);
      this.#carry(this.#lane.offer(writes, this.#nowMs, wait));
    });

  readonly note = (writes: readonly CopyWrite[]): void => {
    for (const write of writes) if (write.kind === 'done') this.#held.delete(write.id);
    this.#carry(this.#lane.offer(writes, this.#nowMs));
  };

  /** Another host holds our rows from now on; undefined: none does. */
  hold(uid: string | undefined): void {
    this.#held.clear();
    this.#holders++;
    this.#carry(this.#lane.hold(uid));
  }

  /** The holder has them already. */
  known(ids: Iterable<string>): void {
    for (const id of ids) this.#held.add(id);
  }

  /** Sends the earlier writes that the holder lacks, after the new ones. */
  catchUp(writes: readonly CopyWrite[]): void {
    this.#carry(this.#lane.catchUp(writes, this.#nowMs));
  }

  /** Sends each second the writes that no commit waits for. */
  flush(): void {
    this.#carry(this.#lane.flush(this.#nowMs));
  }

  #carry(effects: readonly CopyEffect[]): void {
    for (const effect of effects) {
      if (effect.kind === 'send') this.#ports.run(this.#send(effect));
      else {
        const resolve = this.#waiting.get(effect.wait);
        this.#waiting.delete(effect.wait);
        resolve?.(effect.kind === 'copied');
      }
    }
    const dueMs = this.#lane.nextDueMs;
    if (dueMs === undefined || this.#stopped) this.#timer.stop();
    else {
      const delayMs = Math.max(0, dueMs - this.#nowMs);
      this.#timer.start(delayMs, () => this.#carry(this.#lane.tick(this.#nowMs)));
    }
  }

  async #send({ to, n, writes }: Extract<CopyEffect, { kind: 'send' }>): Promise<void> {
    const member = this.#member(to);
    const body = { v: 1, from: this.#ports.self, n, writes };
    const answer = member && (await this.#ports.call(member, 'copy', body, COPY_WITHIN_MS));
    if (this.#stopped) return;
    if (answer === undefined) {
      this.#lane.failed(n, this.#nowMs);
      this.#carry([]);
      return;
    }
    for (const write of writes) {
      if (write.kind === 'outbox') this.#held.add(write.row.id);
      else if (write.kind === 'done') this.#held.delete(write.id);
    }
    this.#carry(this.#lane.confirmed(n, this.#nowMs));
  }

  get #nowMs(): number {
    return this.#ports.clock.monoMs();
  }
}
