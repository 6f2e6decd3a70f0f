import { type RandomBytes, ulid } from '#shared/id.ts';
import { fail } from '#shared/result.ts';
import { networkOf } from '#shared/source-network.ts';
import { insertWrongClaim, networkReportedAt, type Store, wrongClaimsSince } from '../../store/index.ts';

const QUARTER_MS = 15 * 60_000;
const HOUR_MS = 60 * 60_000;
const PER_ADDRESS = 5;
const IN_ALL = 100;

export interface WrongTriesPort {
  readonly store: Store;
  readonly random: RandomBytes;
}

/**
 * Counts wrong claim codes: 5 of one source network in 15 min, 100 in an hour of all networks together. They are rows, so that all
 * replicas count them together.
 *
 * Chosen: the count of all stops only networks that have sent a wrong code in this hour. Strangers could otherwise keep every
 * machine from its enrolment. A code has 50 bits, so that one try of each network is no way to guess it.
 */
export class WrongTries {
  readonly #port: WrongTriesPort;

  constructor(port: WrongTriesPort) {
    this.#port = port;
  }

  /** Fails with `tooManyRequests` when no further code is looked at. */
  async check(address: string, nowMs: number) {
    const { store } = this.#port;
    const network = networkOf(address);
    const hour = await wrongClaimsSince(store, network, nowMs - HOUR_MS);
    if (hour.own === 0) return undefined;
    const late = await wrongClaimsSince(store, network, nowMs - QUARTER_MS);
    return late.own >= PER_ADDRESS || hour.all >= IN_ALL
      ? fail(
          'tooManyRequests',
          'The enrolment is refused: too many wrong claim codes were sent. Wait 15 minutes and read the code again.',
        )
      : undefined;
  }

  /** Whether this address should be reported: at most once an hour. */
  async note(address: string, nowMs: number): Promise<boolean> {
    const { store, random } = this.#port;
    const network = networkOf(address);
    const reportedAt = await networkReportedAt(store, network);
    const isReported = reportedAt === null || reportedAt <= nowMs - HOUR_MS;
    const row = { id: ulid(nowMs, random(10)), network, at: nowMs, told: isReported };
    await store.withTx((tx) => insertWrongClaim(tx, row, nowMs - HOUR_MS));
    return isReported;
  }
}
