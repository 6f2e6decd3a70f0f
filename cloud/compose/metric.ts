import { callbackMetric, counter, type Family, histogram } from '#shared/metric/index.ts';
import type { Failure, Result } from '#shared/result.ts';

/** A transaction ends within 5 s, or is rolled back. */
const TRANSACTION_S = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];
/** A host gives up after 20 s. */
const EDGE_S = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20];
const ROUND_TRIP_S = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30];

/** The metrics at the edge of the control plane (control plane, section 14). `monoMs`: monotonic ms. */
export function openCloudMetric(monoMs: () => number) {
  const transactions = histogram(
    'carillon_db_tx_seconds',
    'Transactions of the database, the wait for their turn included, by what they wrote',
    TRANSACTION_S,
    ['op'],
  );
  const roundTrips = histogram(
    'carillon_mqtt_rtt_seconds',
    'From a message to the broker until it has taken it',
    ROUND_TRIP_S,
  );
  const edgeRequests = histogram(
    'carillon_edge_request_seconds',
    'Requests of hosts at their listener, the wait for their turn included',
    EDGE_S,
    ['route', 'status'],
  );
  const refused = counter('carillon_auth_fail_total', 'Requests and connections that were not let in', [
    'reason',
  ]);
  const patterns = counter('carillon_regex_reject_total', 'Patterns of customers that were not taken');
  const callbacks = callbackMetric();
  const since = (beganMs: number): number => (monoMs() - beganMs) / 1_000;
  return {
    families: [
      ...[transactions, roundTrips, edgeRequests, refused, patterns],
      ...callbacks.families,
    ] as readonly Family[],

    /** For a store: begins a transaction; the function that it returns is called at its end. */
    transaction: () => {
      const beganMs = monoMs();
      return (op: string): void => transactions.observe(since(beganMs), [op]);
    },

    /** Work that ends with the answer of the broker; one that fails is not measured. */
    roundTrip: async (work: Promise<void>): Promise<void> => {
      const beganMs = monoMs();
      await work;
      roundTrips.observe(since(beganMs));
    },

    /** One attempt to tell a tenant's endpoint of something. */
    attempt: async <A extends { readonly status: number }, F extends Failure>(
      work: Promise<Result<A, F>>,
    ): Promise<Result<A, F>> => {
      const beganMs = monoMs();
      const result = await work;
      callbacks.attempted('platform', since(beganMs), result.ok ? result.value.status : result.error.code);
      return result;
    },

    /** A request of a host has come; the function that it returns is called with its answer. */
    edgeRequest: () => {
      const beganMs = monoMs();
      return (route: string, status: number): void =>
        edgeRequests.observe(since(beganMs), [route, String(status)]);
    },

    /** A listener refused a client. `reason`: a word of ours. */
    notLetIn: (reason: string): void => refused.add([reason]),

    /** A request was refused, with this status. */
    refused: (failure: Failure, status: number): void => {
      if (status === 401 || status === 403) refused.add([failure.code]);
      if (isPattern(failure)) patterns.add();
    },
  };
}

export type CloudMetric = ReturnType<typeof openCloudMetric>;

/** Only of patterns it is said at which sign they are wrong. */
const isPattern = (failure: Failure): boolean => {
  const { position, issues = [] } = failure as Failure & {
    readonly position?: number;
    readonly issues?: readonly { readonly position?: number }[];
  };
  return position !== undefined || issues.some((issue) => issue.position !== undefined);
};
