import type { KernelPorts } from '../kernel/port.ts';
import type { TenantModel, TenantPorts } from '../replica/index.ts';
import type { DeliveryService } from './delivery-service.ts';
import type { DeliveryResult, OutboxRow } from './outbox/index.ts';
import type { ReportedCondition } from './platform-alarms.ts';

/** A condition of one endpoint of the tenant that began or ended. */
export type EndpointCondition = ReportedCondition & { readonly error: 'serviceFailure' };

export interface EndpointWatchPorts {
  readonly tell: (condition: EndpointCondition) => void;
  readonly wallMs: () => number;
  /** Name of the bridge or service that a destination belongs to; undefined: it exists no more. */
  readonly nameOf: (dest: string) => string | undefined;
}

interface Failing {
  readonly sinceMs: number;
  /** A row of an earlier life says so; the tenant may or may not have heard of it. */
  readonly isReported: boolean;
}

/** The service of a condition has at most so many characters (`standingAlarmDataSchema`). */
const LONGEST_SERVICE = 32;
const LONGEST_REASON = 400;
/** Chosen: destinations that are remembered; a tenant has as many as it has bridges and services. */
const MOST = 1_000;

/**
 * One incident for each endpoint that takes no callbacks: it begins with the first attempt that is not accepted, and ends
 * with the first that is. A failed callback alone is an alarm without an end, and a page that counts open incidents would
 * say that all is quiet while alarms reach no person.
 *
 *     accepted ◀── taken ── failing: reported once ◀── not taken ── unknown
 *        └── not taken ──────▲
 */
export class EndpointWatch {
  readonly #ports: EndpointWatchPorts;
  readonly #failing = new Map<string, Failing>();

  constructor(ports: EndpointWatchPorts) {
    this.#ports = ports;
  }

  /** After a start: rows that failed before and still wait. Their endpoint is over its trouble when it takes one. */
  recovered(rows: readonly Pick<OutboxRow, 'dest' | 'lastErr'>[]): void {
    for (const { dest, lastErr } of rows)
      if (lastErr !== null) this.#remember(dest, { sinceMs: this.#ports.wallMs(), isReported: false });
  }

  attempted(dest: string, result: DeliveryResult): void {
    const known = this.#failing.get(dest);
    if (result.kind === 'delivered') {
      if (known === undefined) return;
      this.#failing.delete(dest);
      this.#tell(dest, 'cleared', known.sinceMs, 'It accepts callbacks again.');
      return;
    }
    if (known?.isReported === true) return;
    const sinceMs = known?.sinceMs ?? this.#ports.wallMs();
    if (this.#remember(dest, { sinceMs, isReported: true }))
      this.#tell(
        dest,
        'raised',
        sinceMs,
        `${sentence(result)} Callbacks are kept and sent again. Look whether the application runs, and whether it answers 2xx.`,
      );
  }

  /** False: so many fail already that one more says nothing new. */
  #remember(dest: string, failing: Failing): boolean {
    if (!this.#failing.has(dest) && this.#failing.size >= MOST) return false;
    this.#failing.set(dest, failing);
    return true;
  }

  #tell(dest: string, status: 'raised' | 'cleared', since: number, why: string): void {
    const [, id = 'platform'] = dest.split(' ');
    const name = this.#ports.nameOf(dest) ?? id;
    this.#ports.tell({
      error: 'serviceFailure',
      service: `cb ${id}`.slice(0, LONGEST_SERVICE),
      severity: 'major',
      message: `The endpoint of ${name} does not accept callbacks. ${why}`,
      status,
      since,
      suppressed: 0,
    });
  }
}

const sentence = (result: Exclude<DeliveryResult, { kind: 'delivered' }>): string =>
  result.kind === 'refused'
    ? `It answered ${result.status}.`
    : `It gave no answer: ${result.reason.slice(0, LONGEST_REASON)}.`;

/** Watches the endpoints that a delivery service calls. */
export function watchEndpoints(
  { clock, tenant }: Pick<KernelPorts, 'clock'> & Pick<TenantPorts, 'tenant'>,
  delivery: Pick<DeliveryService, 'attempted'>,
  tell: EndpointWatchPorts['tell'],
): EndpointWatch {
  const watch = new EndpointWatch({ tell, wallMs: clock.wallMs, nameOf: (dest) => nameOf(dest, tenant()) });
  delivery.attempted.add((dest, result) => watch.attempted(dest, result));
  return watch;
}

function nameOf(dest: string, tenant: TenantModel): string | undefined {
  const [kind, id = ''] = dest.split(' ');
  if (kind === 'platform') return 'the platform alarms';
  if (kind === 'mediaservice') return tenant.mediaServicesById.get(id)?.name;
  if (kind === 'callrecording') return tenant.recordingServicesById.get(id)?.name;
  if (kind === 'cloudsipua') return tenant.cloudSipUa(id)?.name;
  return tenant.bridge(id)?.name;
}
