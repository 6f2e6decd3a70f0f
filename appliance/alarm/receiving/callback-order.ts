import type { TimerPorts, TimerScope } from '../../kernel/engine-timers.ts';
import type { KernelPorts } from '../../kernel/port.ts';

type Ports = Pick<KernelPorts, 'clock'> & TimerPorts;

/** Chosen: an alarm waits no longer than this behind the answer to another one, ms. */
const WAIT_MS = 250;

/** One request in the queue of its sender. */
interface Place {
  /** Rises with each request. */
  readonly number: number;
  readonly sender: string;
  /** It has waited long enough. */
  isDue: boolean;
  /** Set while the request is ready and waits for its turn. */
  start: (() => void) | undefined;
}

/**
 * Live requests of one sender start in the order in which its alarms came: without it the restore of a zone may reach the
 * application before its alarm. A request starts once those before it are answered, at the latest after `WAIT_MS`.
 */
export class CallbackOrder {
  readonly #ports: Ports;
  readonly #timers: TimerScope<'wait'>;
  /** Requests without an answer by sender, the oldest first. */
  readonly #queues = new Map<string, readonly Place[]>();
  readonly #places = new Map<string, Place>();
  #made = 0;

  constructor(ports: Ports) {
    this.#ports = ports;
    this.#timers = ports.timers.scope((number) => this.#waited(number));
  }

  /**
   * Runs a request that waits for `inTurn` when it is ready to be sent. The order of the calls of `run` is that of the
   * requests.
   */
  async run<Answer>(
    sender: string,
    request: (inTurn: () => Promise<void>) => Promise<Answer>,
  ): Promise<Answer> {
    const place: Place = { number: ++this.#made, sender, isDue: false, start: undefined };
    const before = this.#queues.get(sender) ?? [];
    this.#queues.set(sender, [...before, place]);
    if (before.length > 0) {
      this.#places.set(nameOf(place), place);
      this.#timers.start(nameOf(place), 'wait', this.#ports.clock.monoMs() + WAIT_MS);
    }
    try {
      return await request(() => this.#turn(place));
    } finally {
      this.#leave(place);
    }
  }

  #waited(number: string): void {
    const place = this.#places.get(number);
    if (place === undefined) return;
    place.isDue = true;
    start(place);
  }

  #turn(place: Place): Promise<void> {
    if (place.isDue || this.#queues.get(place.sender)?.[0] === place) return Promise.resolve();
    return new Promise((resolve) => {
      place.start = resolve;
    });
  }

  #leave(place: Place): void {
    this.#places.delete(nameOf(place));
    this.#timers.stop(nameOf(place), 'wait');
    const left = (this.#queues.get(place.sender) ?? []).filter((each) => each !== place);
    const [first] = left;
    if (first === undefined) this.#queues.delete(place.sender);
    else {
      this.#queues.set(place.sender, left);
      start(first);
    }
  }
}

const nameOf = ({ number }: Place): string => String(number);

function start(place: Place): void {
  const { start: begin } = place;
  place.start = undefined;
  begin?.();
}
