/** Base values of RFC 3261 17.1.1.1 and table 4, milliseconds. */
export interface TimerBase {
  /** Round-trip estimate. */
  readonly t1Ms: number;
  /** Longest interval between retransmissions of non-INVITE requests and INVITE responses. */
  readonly t2Ms: number;
  /** Longest time a message stays in the network. */
  readonly t4Ms: number;
}

export const DEFAULT_TIMER_BASE: TimerBase = { t1Ms: 500, t2Ms: 4_000, t4Ms: 5_000 };

/** Timers by their names in RFC 3261 table 4; L and M are RFC 6026's. */
export type TimerName = 'A' | 'B' | 'D' | 'E' | 'F' | 'G' | 'H' | 'I' | 'J' | 'K' | 'L' | 'M';

/** `unused`: the timer is never set; a number: length in multiples of the named base. */
interface Length {
  readonly base: keyof TimerBase;
  readonly times: number;
  readonly reliable: 'same' | 'zero' | 'unused';
}

/** RFC 3261 table 4 and RFC 6026 table 1. Timer D is "at least 32 s", which 64 × T1 gives at the default T1. */
const LENGTH: Readonly<Record<TimerName, Length>> = {
  A: { base: 't1Ms', times: 1, reliable: 'unused' }, //  INVITE request retransmitted
  B: { base: 't1Ms', times: 64, reliable: 'same' }, //   INVITE gives up
  D: { base: 't1Ms', times: 64, reliable: 'zero' }, //   wait for response retransmissions
  E: { base: 't1Ms', times: 1, reliable: 'unused' }, //  non-INVITE request retransmitted
  F: { base: 't1Ms', times: 64, reliable: 'same' }, //   non-INVITE gives up
  G: { base: 't1Ms', times: 1, reliable: 'unused' }, //  INVITE response retransmitted
  H: { base: 't1Ms', times: 64, reliable: 'same' }, //   wait for the ACK
  I: { base: 't4Ms', times: 1, reliable: 'zero' }, //    wait for ACK retransmissions
  J: { base: 't1Ms', times: 64, reliable: 'zero' }, //   wait for non-INVITE retransmissions
  K: { base: 't4Ms', times: 1, reliable: 'zero' }, //    wait for response retransmissions
  L: { base: 't1Ms', times: 64, reliable: 'same' }, //   wait for INVITE retransmissions after a 2xx
  M: { base: 't1Ms', times: 64, reliable: 'same' }, //   wait for 2xx retransmissions
};

/** Milliseconds of a timer; undefined when the transport makes it needless. 0 means: fires at once. */
export function timerMs(timer: TimerName, reliable: boolean, base: TimerBase): number | undefined {
  const { base: unit, times, reliable: rule } = LENGTH[timer];
  if (reliable && rule !== 'same') return rule === 'zero' ? 0 : undefined;
  return base[unit] * times;
}
