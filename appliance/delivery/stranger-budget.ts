import { neighbourhoodOf } from '#shared/source-network.ts';
import type { TimerPorts, TimerScope } from '../kernel/engine-timers.ts';
import type { KernelPorts } from '../kernel/port.ts';
import { type Rate, type Rates, SourceBuckets, TokenBucket } from '../kernel/token-bucket.ts';

/** Alarms of unknown units that are taken, of one source network and of all together. */
export type UnknownUnitRates = Rates;

/**
 * Chosen: a neighbourhood whose units are not provisioned yet is heard at once when its power fails (200), and an operator
 * can read what comes after that (one a second).
 */
const USUAL: UnknownUnitRates = {
  source: { burst: 200, perS: 1 },
  tenant: { burst: 400, perS: 5 },
};
/** Chosen: within their budget so many are worked on at once and each second, so that a burst leaves the processor free. */
const PACE: Rate = { burst: 20, perS: 50 };
/** Chosen: signs of life cost a twentieth of an alarm; unprovisioned panels poll every half minute. */
const SIGNS_PER_ALARM = 20;
/** Chosen: platform alarms that strangers cause, each for another name or address. */
const REPORTS: Rate = { burst: 100, perS: 1 };
/** The first sum comes so soon, the next ones in the log every minute and to a person every ten. ms */
const FIRST_SUM_MS = 10_000;
const LOG_EVERY_MS = 60_000;
const TELL_EVERY_MS = 600_000;
const MOST_NETWORKS = 1_000;
const SHOWN_NETWORKS = 5;
/** One budget for the whole host: its timers have one owner. */
const OWNER = 'budget';

/** Messages of strangers beyond their budget, since the first of them. */
export interface StrangerSum {
  /** Alarms and signs of life that were not taken: their sender has no acknowledgement. */
  readonly refused: number;
  /** Platform alarms about strangers that were only counted. */
  readonly untold: number;
  readonly protocols: readonly string[];
  /** Networks with the most of it, the worst first. */
  readonly networks: readonly string[];
  /** Epoch ms of the first. */
  readonly since: number;
}

interface Episode {
  readonly sinceMs: number;
  readonly networks: Map<string, number>;
  readonly protocols: Set<string>;
  refused: number;
  unreported: number;
  /** Sum of both at the last line of the log, and at the last alarm. */
  logged: number;
  reported: number;
  tellAtMs: number;
}

type Ports = Pick<KernelPorts, 'clock' | 'log' | 'run'> & TimerPorts;

/**
 * The share of this host that unknown units have, so that nothing a stranger sends delays a known device. Chosen: an alarm
 * that exceeds it is not acknowledged, so that its sender tries again or goes to its next receiver; it is counted, logged
 * once a minute and reported to a person as one sum.
 */
export class StrangerBudget {
  readonly #ports: Ports;
  readonly #tell: (sum: StrangerSum) => void;
  readonly #alarms: Budget | undefined;
  readonly #signs: Budget | undefined;
  readonly #reports: TokenBucket | undefined;
  readonly #pace = new TokenBucket(PACE);
  /** Work of alarms that were taken, in its order. */
  readonly #turns: (() => void)[] = [];
  readonly #timers: TimerScope<'turn' | 'sum'>;
  #episode: Episode | undefined;

  /** `off`: as many as come. */
  constructor(ports: Ports, tell: (sum: StrangerSum) => void, rates: UnknownUnitRates | 'off' = USUAL) {
    this.#ports = ports;
    this.#tell = tell;
    this.#timers = ports.timers.scope((_, timer, nowMs) =>
      timer === 'turn' ? this.#takeTurns(nowMs) : this.#sum(nowMs),
    );
    if (rates === 'off') return;
    this.#alarms = new Budget(rates);
    this.#signs = new Budget({ source: larger(rates.source), tenant: larger(rates.tenant) });
    this.#reports = new TokenBucket(REPORTS);
  }

  /** Takes an alarm of an unknown unit: its work is done now, or in its turn. False: it is refused. */
  takeAlarm(address: string, protocol: string, work: () => void): boolean {
    if (!this.#takes(this.#alarms, address, protocol)) return false;
    const nowMs = this.#ports.clock.monoMs();
    const isNow = this.#alarms === undefined || (this.#turns.length === 0 && this.#pace.draw(nowMs));
    if (isNow) work();
    else {
      this.#turns.push(work);
      if (this.#turns.length === 1) this.#awaitTurn(nowMs);
    }
    return true;
  }

  /** A message of a stranger was dropped before it was read. */
  dropped(address: string, protocol: string): void {
    this.#refused(neighbourhoodOf(address), protocol, this.#ports.clock.monoMs());
  }

  /** Whether a sign of life of an unknown unit is noted now. */
  takesSign(address: string, protocol: string): boolean {
    return this.#takes(this.#signs, address, protocol);
  }

  /** Whether a stranger is reported to a person by an alarm of its own now. */
  takesReport(address: string | undefined): boolean {
    const nowMs = this.#ports.clock.monoMs();
    if (this.#reports?.draw(nowMs) !== false) return true;
    this.#count(address === undefined ? undefined : neighbourhoodOf(address), nowMs).unreported++;
    return false;
  }

  #takeTurns(nowMs: number): void {
    while (this.#turns.length > 0 && this.#pace.draw(nowMs)) {
      const work = this.#turns.shift();
      // A defect of one must not take the turns of the others.
      this.#ports.run(Promise.resolve().then(work));
    }
    if (this.#turns.length > 0) this.#awaitTurn(nowMs);
  }

  #awaitTurn(nowMs: number): void {
    this.#timers.start(OWNER, 'turn', this.#pace.nextMs(nowMs));
  }

  #sum(nowMs: number): void {
    const episode = this.#episode;
    if (episode === undefined) return;
    const count = episode.refused + episode.unreported;
    const sum = sumOf(episode);
    if (count > episode.logged)
      this.#ports.log('warn', 'unknown_unit.refused', 'Refused alarms of unknown units beyond their budget', {
        ...sum,
      });
    episode.logged = count;
    if (nowMs >= episode.tellAtMs) {
      // Nothing came since the last alarm: the next one to come begins a sum of its own.
      if (count === episode.reported) {
        this.#episode = undefined;
        return;
      }
      episode.reported = count;
      episode.tellAtMs = nowMs + TELL_EVERY_MS;
      this.#tell(sum);
    }
    this.#timers.start(OWNER, 'sum', nowMs + LOG_EVERY_MS);
  }

  #takes(budget: Budget | undefined, address: string, protocol: string): boolean {
    if (budget === undefined) return true;
    const nowMs = this.#ports.clock.monoMs();
    const network = neighbourhoodOf(address);
    if (budget.draw(network, nowMs)) return true;
    this.#refused(network, protocol, nowMs);
    return false;
  }

  #refused(network: string, protocol: string, nowMs: number): void {
    const episode = this.#count(network, nowMs);
    episode.refused++;
    episode.protocols.add(protocol);
  }

  #count(network: string | undefined, nowMs: number): Episode {
    const episode = this.#episode ?? this.#begin(nowMs);
    const { networks } = episode;
    if (network !== undefined && (networks.has(network) || networks.size < MOST_NETWORKS))
      networks.set(network, (networks.get(network) ?? 0) + 1);
    return episode;
  }

  #begin(nowMs: number): Episode {
    const dueMs = nowMs + FIRST_SUM_MS;
    const episode: Episode = {
      sinceMs: this.#ports.clock.wallMs(),
      networks: new Map(),
      protocols: new Set(),
      refused: 0,
      unreported: 0,
      logged: 0,
      reported: 0,
      tellAtMs: dueMs,
    };
    this.#episode = episode;
    this.#timers.start(OWNER, 'sum', dueMs);
    return episode;
  }
}

/** A budget of one source network, and of all together: a network that has used up its own takes nothing from the others. */
class Budget {
  readonly #networks: SourceBuckets;
  readonly #all: TokenBucket;

  constructor({ source, tenant }: Rates) {
    this.#networks = new SourceBuckets(source);
    this.#all = new TokenBucket(tenant);
  }

  draw(network: string, nowMs: number): boolean {
    const own = this.#networks.of(network);
    return own.has(nowMs) && this.#all.draw(nowMs) && own.draw(nowMs);
  }
}

const larger = ({ burst, perS }: Rate): Rate => ({
  burst: burst * SIGNS_PER_ALARM,
  perS: perS * SIGNS_PER_ALARM,
});

function sumOf({ sinceMs: since, refused, unreported, networks, protocols }: Episode): StrangerSum {
  const worst = [...networks].sort(([, one], [, other]) => other - one).slice(0, SHOWN_NETWORKS);
  return {
    refused,
    untold: unreported,
    protocols: [...protocols].sort(),
    networks: worst.map(([network]) => network),
    since,
  };
}
