import { type Rate, type Rates, SourceBuckets, TokenBucket } from '../../kernel/token-bucket.ts';

export type InviteRates = Rates;

/** Chosen: a trunk brings a whole town from one address; all together stay below what one core can set up in a second. */
const USUAL: InviteRates = {
  source: { burst: 500, perS: 100 },
  tenant: { burst: 1_000, perS: 250 },
};
const RETRY_AFTER_S = 5;

/** Chosen: a device that dials again and again gets through, and its name alone brings no further calls into the host. */
const OF_DEVICE: Rate = { burst: 5, perS: 0.2 };

/** A caller with an alarm, as far as its INVITE shows it. */
export interface AlarmCaller {
  /** A provisioned device by its name; undefined: none is known. */
  readonly deviceId: string | undefined;
}

/** Asked only where the rate of all calls is used up; undefined: the call is no alarm. */
export type AlarmCallerOf = () => AlarmCaller | undefined;

/**
 * How many new calls one source, and all callers together, may begin. Only a caller that was let in counts for all: strangers
 * who are challenged must not use up the calls of known devices.
 *
 * Chosen: alarms go before ordinary calls. A call that is refused by the rate and is an alarm has a second budget of the same size
 * that ordinary calls do not touch, and a known device has one of its own behind it: neither a town behind one trunk nor a flood of
 * unknown callers keeps it out.
 */
export class InviteRate {
  readonly #ordinary: Budget | undefined;
  readonly #alarms: Budget | undefined;
  /** By name, before a device has proved itself: a stranger that uses a name up takes nothing from `#letIn`. */
  readonly #named = new SourceBuckets(OF_DEVICE);
  readonly #letIn = new SourceBuckets(OF_DEVICE);

  /** `off`: as many as come. */
  constructor(rates: InviteRates | 'off' = USUAL) {
    this.#ordinary = rates === 'off' ? undefined : newBudget(rates);
    this.#alarms = rates === 'off' ? undefined : newBudget(rates);
  }

  /** Seconds after which the source may try again; undefined: this INVITE may go on. `nowMs`: monotonic. */
  refuses(source: string, nowMs: number, alarm?: AlarmCallerOf): number | undefined {
    const isDrawn = ({ sources }: Budget): boolean => sources.of(source).draw(nowMs);
    return this.#refuses(isDrawn, this.#named, nowMs, alarm);
  }

  /** The same for a caller that was let in, as one of all. */
  refusesKnown(nowMs: number, alarm?: AlarmCallerOf): number | undefined {
    return this.#refuses(({ tenant }) => tenant.draw(nowMs), this.#letIn, nowMs, alarm);
  }

  #refuses(
    isDrawn: (budget: Budget) => boolean,
    devices: SourceBuckets,
    nowMs: number,
    alarm: AlarmCallerOf | undefined,
  ): number | undefined {
    if (this.#ordinary === undefined || this.#alarms === undefined || isDrawn(this.#ordinary))
      return undefined;
    const caller = alarm?.();
    if (caller === undefined) return RETRY_AFTER_S;
    if (isDrawn(this.#alarms)) return undefined;
    const { deviceId } = caller;
    return deviceId !== undefined && devices.of(deviceId).draw(nowMs) ? undefined : RETRY_AFTER_S;
  }
}

interface Budget {
  readonly sources: SourceBuckets;
  readonly tenant: TokenBucket;
}

const newBudget = ({ source, tenant }: InviteRates): Budget => ({
  sources: new SourceBuckets(source),
  tenant: new TokenBucket(tenant),
});
