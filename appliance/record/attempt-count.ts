import { RECORD_VERSION, type SessionRecord } from '#shared/contract/session-record/index.ts';
import { recordIdOf } from '../kernel/session-trace.ts';

const MINUTE_MS = 60_000;
/** Chosen: a flood from forged addresses costs 101 rows a minute at most. */
const MOST_SOURCES = 100;
const OTHERS = 'other sources';

type HostFacts = () => Pick<SessionRecord, 'configRevision' | 'program'>;

interface Counted {
  attempts: number;
  reason: string;
}

/** Counts refused and unidentified attempts of each source within a minute: a stranger writes no row per packet. */
export class AttemptCount {
  readonly #host: HostFacts;
  #minute: number | undefined;
  readonly #sources = new Map<string, Counted>();

  /** `host`: facts of the host at the time of the row. */
  constructor(host: HostFacts) {
    this.#host = host;
  }

  /** Counts one; gives back the rows of the minute before, when a new one has begun. */
  add(source: string, reason: string, nowMs: number): SessionRecord[] {
    const minute = Math.floor(nowMs / MINUTE_MS);
    const over = this.#minute === undefined || minute === this.#minute ? [] : this.take();
    this.#minute = minute;
    const name = this.#sources.has(source) || this.#sources.size < MOST_SOURCES ? source : OTHERS;
    const known = this.#sources.get(name);
    if (known === undefined) this.#sources.set(name, { attempts: 1, reason });
    else {
      known.attempts++;
      known.reason = reason;
    }
    return over;
  }

  /** Epoch ms at which the minute that is counted ends; undefined: nothing was counted in it. */
  get untilMs(): number | undefined {
    return this.#sources.size === 0 ? undefined : ((this.#minute ?? 0) + 1) * MINUTE_MS;
  }

  /** The rows of the minute, which begins from zero. */
  take(): SessionRecord[] {
    const at = (this.#minute ?? 0) * MINUTE_MS;
    const rows = [...this.#sources].map(
      ([source, { attempts, reason }]): SessionRecord => ({
        v: RECORD_VERSION,
        recordId: recordIdOf(`attempt ${source} ${at}`, at),
        kind: 'attempt',
        at,
        result: 'refused',
        reason: `The last attempt was refused: ${reason}`.slice(0, 256),
        source: source.slice(0, 64),
        times: { arrived: at },
        attempts,
        ...this.#host(),
      }),
    );
    this.#sources.clear();
    return rows;
  }
}
