import { type Clock, recordMs } from '#shared/clock.ts';
import type { BatchClock, BootNote } from '#shared/contract/feed/index.ts';
import type { Log } from '#shared/log.ts';
import { batchClock, type ClockState, clockAtStart, noteBoot, stepClock, unknownClock } from './clock.ts';

const LOOK_MS = 60_000;
/** Chosen: the time is kept each ten minutes: a power cut sets the clock back by no more. */
const KEEP_EVERY = 10;

export interface HostTimePorts {
  readonly clock: Clock;
  /** Counts the boots of this machine, as the journal does. */
  readonly boot: number;
  /** Whether the clock has a source; undefined: unknown. */
  readonly readSource: () => Promise<boolean | undefined>;
  /** The last time that is known to have been reached. */
  readonly lastGood: () => number | undefined;
  readonly keepLastGood: (wallMs: number, synchronised: boolean | undefined) => void;
  /** False: this program may not set the clock. */
  readonly setClock: (wallMs: number) => Promise<boolean>;
  /** The notes of earlier boots. */
  readonly boots: () => readonly BootNote[];
  readonly keepBoots: (boots: readonly BootNote[]) => void;
  readonly startTimer: (delayMs: number, fire: () => void) => () => void;
  readonly log: Log;
}

/** When a request went and its answer came; `date`: the header of the answer. */
interface AnsweredAt {
  readonly date: string | undefined;
  readonly sentMs: number;
  readonly receivedMs: number;
}

/** The time of this host: set forward at the start where it stood still, watched, and corrected for what others check. */
export class HostTime {
  readonly #ports: HostTimePorts;
  #state = unknownClock;
  #boots: readonly BootNote[];
  #looks = 0;
  #stopTimer = (): void => undefined;
  #stopped = false;

  constructor(ports: HostTimePorts) {
    this.#ports = ports;
    this.#boots = ports.boots();
  }

  /** Sets a clock forward that stood still; looks each minute from now on. */
  async start(): Promise<void> {
    await this.#setForward();
    await this.#readSource();
    this.#keep();
    this.#lookLater();
  }

  stop(): void {
    this.#stopped = true;
    this.#stopTimer();
  }

  get state(): ClockState {
    return this.#state;
  }

  /** For the times of records: whether the clock has a source, and when it was first right in each boot. */
  get records(): Pick<BatchClock, 'from' | 'sync' | 'pairs'> {
    return batchClock(this.#boots, this.#ports.boot, this.#state.synchronised);
  }

  /** Time as receivers of our tokens see it. */
  readonly signingMs = (): number => this.#ports.clock.wallMs() + this.#state.offsetMs;

  /** A receiver answered: its time counts while this machine has no source. */
  answered(at: AnsweredAt): void {
    if (this.#state.synchronised !== false) return;
    const before = this.#state.offsetMs;
    this.#state = stepClock(this.#state, { kind: 'answer', ...at });
    const { offsetMs } = this.#state;
    if (offsetMs !== before)
      this.#ports.log(
        'warn',
        'clock.token_time_corrected',
        'Corrected the time for tokens by the time of an answer',
        { offsetMs },
      );
  }

  async #setForward(): Promise<void> {
    const { clock, lastGood, log, readSource, setClock } = this.#ports;
    const toMs = clockAtStart(clock.wallMs(), lastGood(), await readSource());
    if (toMs === undefined) return;
    const last = new Date(toMs).toISOString();
    if (await setClock(toMs))
      log(
        'warn',
        'clock.restored',
        'Set the clock to the last good time: it had stopped while the power was off',
        {
          last,
        },
      );
    else
      log(
        'error',
        'clock.restore_failed',
        'Could not set the clock: it had stopped while the power was off',
        {
          last,
        },
      );
  }

  async #readSource(): Promise<void> {
    const { boot, clock, keepBoots, readSource } = this.#ports;
    this.#state = stepClock(this.#state, { kind: 'source', synchronised: await readSource() });
    const now = { boot, mono: recordMs(clock), ts: clock.wallMs() };
    const noted = noteBoot(this.#boots, now, this.#state.synchronised);
    if (noted !== this.#boots) keepBoots(noted);
    this.#boots = noted;
  }

  #lookLater(): void {
    if (this.#stopped) return;
    this.#stopTimer = this.#ports.startTimer(LOOK_MS, () => void this.#look());
  }

  async #look(): Promise<void> {
    try {
      await this.#readSource();
      if (++this.#looks % KEEP_EVERY === 0) this.#keep();
    } catch (cause) {
      this.#ports.log('error', 'clock.check_failed', 'Could not check the clock', { cause: String(cause) });
    }
    this.#lookLater();
  }

  #keep(): void {
    this.#ports.keepLastGood(this.#ports.clock.wallMs(), this.#state.synchronised);
  }
}
