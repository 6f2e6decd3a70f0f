import type { Verdict } from '#test/support/site-history.ts';
import type { LastChange } from './last-change.ts';

/** A delivery as the endpoint of the tenant got it. `about`: the alarm and its status, the same under each id. */
export interface ArrivedDelivery {
  readonly id: string;
  readonly about: string;
}

/** The outcome of a run, once all replicas were whole again and the hosts quiet. */
export interface ControlPlaneHistory {
  /** Ids of alarms that hosts have sent to the broker. */
  readonly reported: readonly string[];
  /** Ids of the rows of alarms. */
  readonly stored: readonly string[];
  /** Alarms that hosts still keep, because no acknowledgement came. */
  readonly kept: number;
  readonly arrived: readonly ArrivedDelivery[];
  /** Deliveries that wait, or were given up. */
  readonly undelivered: number;
  /** Devices that the API has accepted, and those that can be read. */
  readonly accepted: readonly string[];
  readonly present: readonly string[];
  /** Devices that entries of the audit log name. */
  readonly audited: readonly string[];
  /** Sentences on chains of the audit log that are not whole. */
  readonly auditFaults: readonly string[];
  /** Numbers of the twins of each host, as they came. */
  readonly twins: readonly (readonly number[])[];
  readonly lastChange: LastChange;
  /** Alarms that say that a host is silent. */
  readonly calledSilent: readonly string[];
  /** The status of each alarm that says to a tenant that many hosts fell silent at once, which is the fault of the platform. */
  readonly massLosses: readonly string[];
  /** Observations of a host by a replica that did not own its shard. */
  readonly trespasses: readonly string[];
  /** Observations by replica: a run in which one of them wrote nothing proves nothing. */
  readonly observations: Readonly<Record<string, number>>;
  readonly faults: number;
}

/** Pure: figures and broken promises of a run with several control planes. */
export function judgeControlPlane(history: ControlPlaneHistory): Verdict {
  const { reported, accepted, arrived, calledSilent, trespasses, observations } = history;
  const { behind, slowestMs } = history.lastChange;
  const [stored, present] = [new Set(history.stored), new Set(history.present)];
  const keys = new Set(arrived.map(({ id }) => id));
  const lost = reported.filter((id) => !stored.has(id));
  const unreported = reported.filter((id) => !keys.has(id));
  const otherId = underOtherIds(arrived);
  const missing = accepted.filter((id) => !present.has(id));
  const audited = new Set(history.audited);
  const unaudited = accepted.filter((id) => !audited.has(id));
  const backwards = history.twins.filter((numbers) => numbers.some((n, at) => n < (numbers[at - 1] ?? 0)));
  const standing = history.massLosses.filter((status) => status !== 'cleared');
  const idle = Object.entries(observations).filter(([, n]) => n === 0);
  const count = (n: number, sentence: string): string[] => (n === 0 ? [] : [`${n} ${sentence}`]);
  return {
    figures: {
      faults: history.faults,
      'alarms reported': reported.length,
      'alarms lost': lost.length,
      'deliveries arrived': keys.size,
      'arrived again, same id': arrived.length - keys.size,
      'arrived twice, other id': otherId.length,
      'changes accepted': accepted.length,
      'changes lost': missing.length,
      'last change, slowest host ms': slowestMs,
      observations: Object.values(observations).reduce((sum, n) => sum + n, 0),
      trespasses: trespasses.length,
      'called silent': calledSilent.length,
      'mass losses': history.massLosses.length,
    },
    violations: [
      ...count(lost.length, `alarms are in no row, such as ${lost[0]}`),
      ...count(history.kept, 'alarms are still kept by their hosts'),
      ...count(unreported.length, `alarms never came to the tenant, such as ${unreported[0]}`),
      ...count(history.undelivered, 'deliveries wait or were given up'),
      ...count(otherId.length, `alarms came under two ids, such as ${otherId[0]}`),
      ...count(missing.length, `accepted changes are lost, such as ${missing[0]}`),
      ...count(unaudited.length, `accepted changes are not in the audit log, such as ${unaudited[0]}`),
      ...history.auditFaults.map((fault) => `the audit log is not whole: ${fault}`),
      ...count(backwards.length, 'hosts got an older twin behind a newer one'),
      ...count(
        behind.length,
        `hosts have not applied the last change in time, such as ${behind.slice(0, 5).join('; ')}`,
      ),
      ...count(calledSilent.length, `hosts were called silent and were not, such as ${calledSilent[0]}`),
      ...count(standing.length, 'alarms of a mass loss stand and all hosts are there'),
      ...count(trespasses.length, `rows were written by a replica that did not own them: ${trespasses[0]}`),
      ...idle.map(([name]) => `${name} wrote no observation: nothing was proven`),
      ...(reported.length === 0 || accepted.length === 0 || history.faults === 0
        ? ['no alarm, no change or no fault: nothing was proven']
        : []),
    ],
  };
}

function underOtherIds(arrived: readonly ArrivedDelivery[]): string[] {
  const ids = new Map<string, Set<string>>();
  for (const { id, about } of arrived) ids.set(about, (ids.get(about) ?? new Set()).add(id));
  return [...ids].filter(([, each]) => each.size > 1).map(([about]) => about);
}
