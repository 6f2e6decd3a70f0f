import type { NextHopResolver } from '../call/trunk/index.ts';
import type { TimerPorts, TimerScope } from '../kernel/engine-timers.ts';
import type { KernelPorts } from '../kernel/port.ts';
import type { Flow } from '../sip/endpoint/index.ts';
import type { SipResponse } from '../sip/message/index.ts';
import type { Place } from './device-place.ts';

/** How one try ended, or all of them. */
export type LineOutcome =
  | { readonly kind: 'answered'; readonly response: SipResponse }
  | { readonly kind: 'unreachable'; readonly reason: string }
  | { readonly kind: 'silent' };

/** Sends the message once, to one place; tells how it ended, once. */
export type SayAt = (place: Place, flow: Flow, onOutcome: (outcome: LineOutcome) => void) => void;

/** Chosen: a device on the worst mobile network answers within this; the 32 s of timer F are longer than a person waits. */
const SILENT_MS = 2_000;

/** A peer answers there, and says that the device is not there: the next place may know it. */
const NOT_HERE: ReadonlySet<number> = new Set([404, 408, 410, 416, 430, 480, 481, 482, 502, 503, 504, 604]);

type Ports = Pick<KernelPorts, 'clock' | 'run'> & TimerPorts;

/**
 * Sends one message to a device, to one place after the other until one takes it.
 *
 *     place 1 ── answered, or refused for good ──────────────────▶ over
 *        │ the way fails: at once; silent for 2 s: in parallel, for the answer may be late
 *        └──▶ place 2 ── … ──▶ the last: silent until its transaction ends
 */
export class DeviceLine {
  readonly #ports: Ports;
  readonly #reach: Pick<NextHopResolver, 'open'>;
  readonly #timers: TimerScope<'silent'>;
  /** Messages under way whose place is silent so far, by number. */
  readonly #silent = new Map<string, () => void>();
  #sent = 0;

  constructor(ports: Ports, reach: Pick<NextHopResolver, 'open'>) {
    this.#ports = ports;
    this.#reach = reach;
    this.#timers = ports.timers.scope((message) => this.#silent.get(message)?.());
  }

  /** Calls `done` once. */
  send(places: readonly Place[], say: SayAt, done: (outcome: LineOutcome) => void): void {
    let next = 0;
    let inFlight = 0;
    let isOver = false;
    const message = String(this.#sent++);
    let last: LineOutcome = { kind: 'unreachable', reason: 'no way leads there' };

    const over = (outcome: LineOutcome): void => {
      isOver = true;
      this.#onMessage(message);
      done(outcome);
    };
    const onOutcome = (outcome: LineOutcome, isNewest: boolean): void => {
      if (isOver) return;
      inFlight--;
      const isFinal = outcome.kind === 'answered' && !NOT_HERE.has(outcome.response.status);
      // A refusal says more than the other failures.
      if (last.kind !== 'answered') last = outcome;
      if (isFinal) over(outcome);
      else if (next < places.length) {
        if (isNewest) goOn();
      } else if (inFlight === 0) over(last);
    };
    const goOn = (): void => {
      this.#onMessage(message);
      const place = isOver ? undefined : places[next];
      if (place === undefined) return;
      const mine = ++next;
      inFlight++;
      if (next < places.length) {
        this.#silent.set(message, goOn);
        this.#timers.start(message, 'silent', this.#ports.clock.monoMs() + SILENT_MS);
      }
      this.#at(
        place,
        (flow) => !isOver && say(place, flow, (outcome) => onOutcome(outcome, mine === next)),
        (reason) => onOutcome({ kind: 'unreachable', reason }, mine === next),
      );
    };
    if (places.length === 0) over(last);
    else goOn();
  }

  /** Nothing waits for the silence of this message any more. */
  #onMessage(message: string): void {
    this.#silent.delete(message);
    this.#timers.stop(message, 'silent');
  }

  #at({ flow, hop }: Place, opened: (flow: Flow) => void, failed: (reason: string) => void): void {
    if (flow !== undefined) opened(flow);
    else if (hop === undefined) failed('no way leads there');
    else
      this.#ports.run(
        this.#reach.open(hop).then((found) => {
          if (found.ok) opened(found.value);
          else failed(found.error.reason);
        }),
      );
  }
}
