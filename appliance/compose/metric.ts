import { recordMs } from '#shared/clock.ts';
import type { ConfigReport } from '#shared/contract/feed/index.ts';
import {
  callbackMetric,
  counter,
  exposition,
  type Family,
  gauge,
  histogram,
  labelWord,
  processFamilies,
  type Reading,
} from '#shared/metric/index.ts';
import type { Caller } from '../delivery/callback/index.ts';
import type { OpenJournal } from '../io/sqlite/index.ts';
import { openProcessMeter } from '../io/system/index.ts';
import type { SiteAgent } from '../site/host/uplink/site-agent.ts';
import { type BrokerConnection, p99 } from '../site/index.ts';
import type { HostTime } from '../site/system/index.ts';
import { clock } from './adapters.ts';
import type { OpenPeers } from './peers.ts';
import { requestMetric } from './request-metric.ts';

const DISK_S = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5];
const ROUND_TRIP_S = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const APPLY_S = [0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 30, 60, 300];
const DAY_MS = 86_400_000;
/** So many commits say how the disk is now. */
const LATEST = 100;

/** The parts of this host that each look reads. */
export interface HostMetricSource {
  readonly journal: Pick<OpenJournal, 'boot' | 'waiting' | 'oldestWaiting'>;
  readonly connected: () => boolean;
  /** Epoch ms; undefined: it is no host yet. */
  readonly certificateEndsMs: () => number | undefined;
  /** Revisions that its twin names and that are not in force. */
  readonly behind: () => number;
  /** ms to add to our clock; undefined: unknown. */
  readonly clockOffsetMs: () => number | undefined;
  readonly epoch: () => number;
  /** It holds the address of the site. */
  readonly hasAddress: () => boolean;
}

/** This host as its parts know it. */
export const standingOfHost = ({
  journal,
  site,
  time,
  peers,
}: {
  readonly journal: HostMetricSource['journal'];
  readonly site: Pick<SiteAgent, 'connected' | 'identity' | 'behind'>;
  readonly time: Pick<HostTime, 'state'>;
  readonly peers: Pick<OpenPeers, 'epoch' | 'roles'>;
}): HostMetricSource => ({
  journal,
  connected: () => site.connected,
  certificateEndsMs: () => site.identity?.expiresAtMs,
  behind: () => site.behind,
  clockOffsetMs: () => (time.state.synchronised === undefined ? undefined : time.state.offsetMs),
  epoch: () => peers.epoch,
  hasAddress: () => peers.roles.includes('vip'),
});

/** The metrics of this host where it touches the outside, and its state (control plane, section 14). */
export function openHostMetric() {
  const syncs = histogram('carillon_journal_fsync_seconds', 'Synced commits of the journal', DISK_S);
  const roundTrips = histogram(
    'carillon_mqtt_rtt_seconds',
    'From a message to the broker until it has taken it',
    ROUND_TRIP_S,
  );
  const applied = histogram(
    'carillon_config_apply_seconds',
    'From the question for a configuration until it is in force',
    APPLY_S,
  );
  const nacked = counter('carillon_config_nack_total', 'Configurations that this host has refused', ['code']);
  const refused = counter(
    'carillon_auth_fail_total',
    'Requests of telephones, devices and applications that were not let in; of one that asks on and on not each is counted',
    ['reason'],
  );
  const patterns = counter('carillon_regex_reject_total', 'Patterns of applications that were not taken');
  const requests = requestMetric(clock.monoMs, { refused, patterns });
  const callbacks = callbackMetric();
  const meter = openProcessMeter();
  const measured = [syncs, roundTrips, applied, nacked, refused, patterns, ...callbacks.families];
  let standing: readonly Family[] = [];
  let latest: readonly number[] = [];
  const since = (beganMs: number): number => (clock.monoMs() - beganMs) / 1_000;

  return {
    /** The time of each synced COMMIT of the journal, ms. */
    synced: (ms: readonly number[]): void => {
      for (const each of ms) syncs.observe(each / 1_000);
      latest = [...latest, ...ms].slice(-LATEST);
    },

    /** `fsyncP99Ms` of the last hundred commits, for heartbeats; empty before the first one. */
    disk: (): Readonly<Record<string, number>> => {
      const ms = p99(latest);
      return ms === undefined ? {} : { fsyncP99Ms: Math.round(ms * 10) / 10 };
    },

    /** Callbacks by the kind of their receiver. */
    caller:
      (call: Caller): Caller =>
      async (target, ...what) => {
        const beganMs = clock.monoMs();
        const outcome = await call(target, ...what);
        const end = outcome.kind === 'answered' ? outcome.status : outcome.code;
        callbacks.attempted(target.destClass ?? 'other', since(beganMs), end);
        return outcome;
      },

    /** A connection whose messages of QoS 1 are timed until the broker has taken them. */
    broker: (connection: BrokerConnection): BrokerConnection => ({
      ...connection,
      publish: async (topic, payload, options) => {
        const beganMs = clock.monoMs();
        await connection.publish(topic, payload, options);
        if (options.qos === 1) roundTrips.observe(since(beganMs));
      },
    }),

    /** The report of this host to the cloud about a revision. */
    reported: ({ res, ms, err }: Pick<ConfigReport, 'res' | 'ms' | 'err'>): void => {
      if (res === 'applied' && ms !== undefined) applied.observe(ms / 1_000);
      if (res === 'nack')
        for (const code of new Set(err.map((fault) => fault.code))) nacked.add([labelWord(code)]);
    },

    /** A listener refused a client. `reason`: a word of ours. */
    notLetIn: (reason: string): void => refused.add([reason]),

    /** The pages of the site, each request measured. */
    pages: requests.pages,

    /** The loop met a deadline so much later than it was due, ms. */
    loopLate: meter.late,

    /** From now on the text says how this host stands. */
    watch: (host: HostMetricSource): void => {
      standing = hostFamilies(host);
    },

    text: (): string =>
      exposition([...standing, ...measured, requests.family, ...processFamilies(meter.read)]),
  };
}

export type HostMetric = ReturnType<typeof openHostMetric>;

function hostFamilies(host: HostMetricSource): readonly Family[] {
  const { journal } = host;
  return [
    gauge('carillon_outbox_depth', 'Deliveries that wait', () =>
      Object.entries(journal.waiting()).map(([lane, rows]): Reading => [{ lane }, rows]),
    ),
    gauge('carillon_outbox_oldest_seconds', 'Age of the oldest delivery that waits', () => oldest(journal)),
    gauge('carillon_broker_connected', '1 = the management connection is open', () =>
      Number(host.connected()),
    ),
    gauge('carillon_config_lag_revisions', 'Revisions that this host has not applied', host.behind),
    gauge('carillon_cert_expiry_days', 'Days until the certificate of this host ends', () => {
      const endsMs = host.certificateEndsMs();
      return endsMs === undefined ? undefined : (endsMs - clock.wallMs()) / DAY_MS;
    }),
    gauge(
      'carillon_clock_offset_seconds',
      'What receivers say that our clock is behind, while it has no source; 0 with one',
      () => {
        const offsetMs = host.clockOffsetMs();
        return offsetMs === undefined ? undefined : offsetMs / 1_000;
      },
    ),
    gauge('carillon_site_epoch', 'Term of the site', host.epoch),
    gauge('carillon_vip_owner', '1 = this host holds the address of the site', () =>
      Number(host.hasAddress()),
    ),
  ];
}

/** By lane; 0 where nothing waits. Within one boot of the machine no clock that is set moves an age. */
function oldest(journal: HostMetricSource['journal']): Reading[] {
  const ages = new Map(Object.keys(journal.waiting()).map((lane) => [lane, 0]));
  for (const { lane, boot, createdMono, createdWall } of journal.oldestWaiting()) {
    const ageMs = boot === journal.boot ? recordMs(clock) - createdMono : clock.wallMs() - createdWall;
    ages.set(lane, Math.max(ages.get(lane) ?? 0, ageMs / 1_000));
  }
  return [...ages].map(([lane, ageS]) => [{ lane }, ageS]);
}
