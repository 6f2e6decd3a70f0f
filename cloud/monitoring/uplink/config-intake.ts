import type { ConfigReport } from '#shared/contract/feed/index.ts';
import { type HostStatusRow, readHostStatus, type Tx, updateHostStatus } from '../../store/index.ts';
import type { AlarmTable } from '../alarm/alarm-table.ts';
import type { MonitoringPort } from '../alarm/port.ts';
import { rejectedRevisionText } from '../alarm/wording.ts';
import { ownerOf } from '../host/host-metric.ts';
import type { HostTable, Known } from '../host/host-table.ts';
import type { RevisionTable } from '../host/revision-table.ts';
import type { ReportedTurns } from '../host/turn.ts';
import { keptIn, revisionOfReport } from '../host/uplink-record.ts';
import type { Meter } from '../usage/meter.ts';

export interface ConfigIntakeDependencies {
  readonly hosts: HostTable;
  readonly alarms: AlarmTable;
  readonly turns: ReportedTurns;
  readonly meter: Meter;
  readonly revisions: RevisionTable;
}

/** Reports of one host that are written together. */
interface Batch {
  entry: Known;
  readonly reports: { readonly report: ConfigReport; readonly at: number }[];
}

/**
 * Takes what hosts report of their configuration. A host reports each scope by itself, and twice: that it is in force, and that it is good.
 * Reports that come while the host waits for its turn are one transaction.
 */
export class ConfigIntake {
  readonly #port: MonitoringPort;
  readonly #dependencies: ConfigIntakeDependencies;
  /** Those whose turn has not come, by uid. */
  readonly #waiting = new Map<string, Batch>();

  constructor(port: MonitoringPort, dependencies: ConfigIntakeDependencies) {
    this.#port = port;
    this.#dependencies = dependencies;
  }

  take(entry: Known, report: ConfigReport): void {
    this.#observe(entry, report);
    const { place } = entry.host;
    const { uid } = place;
    const reported = { report, at: this.#port.clock.wallMs() };
    const waiting = this.#waiting.get(uid);
    if (waiting !== undefined) {
      waiting.entry = entry;
      waiting.reports.push(reported);
      return;
    }
    const batch: Batch = { entry, reports: [reported] };
    this.#waiting.set(uid, batch);
    const { hosts, turns } = this.#dependencies;
    // A host says once that it has refused something.
    turns.addLasting(uid, place.sh, async () => {
      if (this.#waiting.get(uid) === batch) this.#waiting.delete(uid);
      const store = this.#port.shards.storeOf(place.sh);
      const inService = await store.withTx((tx) => this.#write(tx, batch));
      if (!inService) return;
      await hosts.relearn(uid);
      this.#port.onHostChanged(uid);
    });
  }

  /** This process observes these shards no more: the turns of their hosts are given up. */
  leave(shards: ReadonlySet<string>): void {
    for (const [uid, { entry }] of this.#waiting)
      if (shards.has(entry.host.place.sh)) this.#waiting.delete(uid);
  }

  #observe(entry: Known, report: ConfigReport): void {
    const { clock, log } = this.#port;
    const { hosts, meter, revisions } = this.#dependencies;
    const { uid } = entry.host.place;
    const { scope, rev, res, err } = report;
    const committedMs = revisions.committedMs(ownerOf(entry, scope), rev);
    if (res === 'applied' && committedMs !== undefined) meter.applied(clock.monoMs() - committedMs);
    entry.revisions = { ...entry.revisions, ...revisionOfReport(report) };
    if (res === 'ack') hosts.report(entry, keptIn(entry.facts, scope, rev));
    if (res === 'nack') meter.refused(err.map(({ code }) => code));
    log(
      res === 'nack' ? 'warn' : 'debug',
      res === 'nack' ? 'host_configuration.refused' : 'host_configuration.reported',
      res === 'nack' ? 'A host refused a configuration' : 'A host reported its configuration',
      { res, uid, scope, rev, err },
    );
  }

  /** Whether the host is in service by this. */
  async #write(tx: Tx, { entry, reports }: Batch): Promise<boolean> {
    const { alarms } = this.#dependencies;
    const { place, hostId } = entry.host;
    const { uid } = place;
    const subject = { ...place, hostId };
    const status = await readHostStatus(tx, uid);
    const nacked: HostStatusRow['nacked'] = { ...status?.nacked };
    const refusals: HostStatusRow['refusals'] = { ...status?.refusals };
    const taken = new Set<string>();
    for (const { report, at } of reports) {
      const { scope, rev, res, err } = report;
      if (res === 'nack') {
        const isNew = refusals[scope]?.rev !== rev;
        taken.delete(scope);
        nacked[scope] = rev;
        refusals[scope] = { rev, errors: err, at };
        if (isNew) await alarms.raise(tx, subject, rejectedRevisionText(hostId, report));
        continue;
      }
      delete nacked[scope];
      delete refusals[scope];
      // Fetched again and taken: the refusal is over, whatever revision it was.
      if (!taken.has(scope)) await alarms.clear(tx, subject, 'configRejected', scope);
      taken.add(scope);
    }
    await updateHostStatus(tx, uid, { ...entry.revisions, nacked, refusals });
    const last = reports.findLast(({ report }) => report.res === 'ack');
    if (last === undefined) return false;
    const actor = { name: `host:${uid}`, address: '', requestId: '', at: last.at };
    return await this.#port.life.acknowledged(tx, uid, actor);
  }
}
