import { Listeners } from '#shared/listeners.ts';
import type { ApplianceConfig } from '../config.ts';
import { openReplica } from '../io/config/index.ts';
import { createCallbackClient } from '../io/http/index.ts';
import { type Log, openHostMeter } from '../io/system/index.ts';
import { openDamageReports, replicaDamage } from '../site/supervision/index.ts';
import { openDisk, openHostCapture, trustOf } from './disk.ts';
import type { LateParts } from './late-part.ts';
import { openLoop } from './loop.ts';
import { openHostMetric } from './metric.ts';
import { openRecords } from './record/index.ts';
import { openTime, timedPost } from './time.ts';

/**
 * First stage: what is on the disk, and what every later stage needs of this machine: loop, journal, replica, meters,
 * time and the client of callbacks. `closing` is filled as parts open, so that a start that fails in between closes them.
 */
export async function openDiskStage(
  config: ApplianceConfig,
  {
    log,
    late,
    closing,
  }: { log: Log; late: Pick<LateParts, 'network' | 'ports'>; closing: (() => unknown)[] },
) {
  const metric = openHostMetric();
  const loop = openLoop(log, metric.loopLate);
  closing.push(loop.stop);
  const damage = openDamageReports(log, () => late.ports.now.place.hostId);
  const written = new Listeners<[]>();
  const synced = (ms: readonly number[]): void => {
    metric.synced(ms);
    written.emit();
  };
  const { journal, disk } = await openDisk(config, synced, damage, closing);
  const records = await openRecords(config, log, damage);
  closing.push(() => records.close());
  const trustPem = trustOf(config);
  const reachable = {
    allowPrivate: config.allowPrivate,
    listeners: () =>
      [...late.network.now.bound, ...config.http.all].map(({ host, port }) => ({ address: host, port })),
    extraCas: trustPem === undefined ? [] : [trustPem],
  };
  const client = createCallbackClient(reachable);
  closing.push(() => client.close());
  const hostId = (): string => late.ports.now.place.hostId;
  const capture = await openHostCapture(config, { journal, reachable, hostId, log, closing });
  const captured = capture === undefined ? client : { ...client, postJson: capture.posting(client.postJson) };
  const time = await openTime(config.data, journal.boot, loop.startTimer, log);
  closing.push(() => time.stop());
  const post = timedPost(captured, time);
  const replica = openReplica(config.data, (found) => damage.found(replicaDamage(found)));
  closing.push(() => replica.close());
  const meter = await openHostMeter(config.data);
  closing.push(() => meter.stop());
  return {
    metric,
    loop,
    damage,
    journal,
    disk,
    records,
    capture,
    written,
    trustPem,
    reachable,
    time,
    post,
    replica,
    meter,
  };
}

export type DiskStage = Awaited<ReturnType<typeof openDiskStage>>;
