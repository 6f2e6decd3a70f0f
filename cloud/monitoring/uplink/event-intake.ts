import { ALARM_QUEUED, alarmQueuedDataSchema } from '#shared/contract/alarm-queue/index.ts';
import {
  type BatchClock,
  DEVICES_SEEN,
  deviceHeartbeatDataSchema,
  devicesSeenDataSchema,
  type EventBatch,
  type EventItem,
  HOST_ACT,
  type HostPlace,
  hostActDataSchema,
  type Lane,
  RECORDING_READ,
  recordingReadDataSchema,
  STANDING_ALARMS,
  standingAlarmDataSchema,
  USAGE_TYPE,
  usageDataSchema,
} from '#shared/contract/feed/index.ts';
import {
  type Actor,
  addUsage,
  insertSiteEvents,
  laneSeq,
  recordAudit,
  type SiteEventRow,
  setDeviceHeartbeat,
  setDevicesSeen,
  setLaneSeq,
  type Tx,
} from '../../store/index.ts';
import type { AlarmTable, Subject } from '../alarm/alarm-table.ts';
import type { LifecycleReports, QueueReports } from '../alarm/port.ts';
import { usageRows } from '../usage/usage-queries.ts';
import { eventTime } from './event-time.ts';

/** The result of a batch. */
export interface Taken {
  /** Up to here everything is committed: what dn/ack says. */
  readonly seq: number;
  /** The host moved on in its life: its twin must be made again. */
  readonly moved: boolean;
  /** After the commit. */
  readonly then: readonly (() => void)[];
}

/**
 * Commits a batch of one lane and gives the number up to which everything is committed: what dn/ack says. An event whose
 * `prev` lies above that number shows a gap: it and all after it wait, and the answer makes the host go back. Events that the
 * host itself has lost are marked by `gap`.
 *
 * Events at or below the number are stored too if their id is new: a host with a new journal counts from 1 again.
 */
export async function takeEvents(
  tx: Tx,
  place: HostPlace,
  lane: Lane,
  { items, clk }: Pick<EventBatch, 'items' | 'clk'>,
  receivedAt: number,
  {
    alarms,
    life,
    queue,
  }: {
    readonly alarms: AlarmTable;
    readonly life: LifecycleReports;
    readonly queue?: QueueReports | undefined;
  },
  hostId: string,
): Promise<Taken> {
  const before = await laneSeq(tx, place.uid, lane);
  let seq = before;
  const taken: EventItem[] = [];
  for (const item of items) {
    if (item.prev > seq && item.gap !== true) break;
    taken.push(item);
    seq = Math.max(seq, item.seq);
  }
  const rows = taken.map((item) => rowOf(place, lane, item, receivedAt, clk));
  const fresh = await insertSiteEvents(tx, rows);
  const subject: Subject = { ...place, hostId };
  let moved = false;
  const then: (() => void)[] = [];
  for (const [n, item] of taken.entries()) {
    if (!fresh.has(item.id)) continue;
    await act(tx, subject, item, rows[n]?.at ?? receivedAt, alarms);
    if (item.type === ALARM_QUEUED && queue !== undefined) {
      const { data } = alarmQueuedDataSchema.safeParse(item.data);
      if (data !== undefined) then.push(await queue.reported(tx, place, hostId, data, receivedAt));
    }
    const actor = { name: `host:${place.uid}`, address: '', requestId: '', at: receivedAt };
    if (lane === 'audit') await join(tx, subject, item, actor);
    // A report for a dead peer says nothing of this host's own life.
    if (lane === 'svc' && item.origin === undefined)
      moved = (await life.reported(tx, place.uid, item.type, item.data, actor)) || moved;
  }
  if (seq > before) await setLaneSeq(tx, place.uid, lane, seq);
  return { seq, moved, then };
}

function rowOf(
  place: HostPlace,
  lane: Lane,
  item: EventItem,
  receivedAt: number,
  clk: BatchClock | undefined,
): SiteEventRow {
  const { id, seq, boot, epoch, type, ts, mono, late, svc, tp, origin, gap } = item;
  // A row for each device says it already, and forgets it with the device.
  const data = type === DEVICES_SEEN ? {} : type === ALARM_QUEUED ? withoutHandle(item.data) : item.data;
  const { at, estimated } = eventTime(item, clk, receivedAt);
  // The original data of the host stay beside the derived values.
  const body = { data, mono, svc, tp, origin, gap, ...(estimated && { estimated, ts }) };
  const { tenant, siteId, uid } = place;
  return { id, tenant, siteId, uid, lane, seq, boot, epoch, type, at, receivedAt, late, body };
}

/** The handle of a session is for its host alone. */
const withoutHandle = ({ replyId: _, ...data }: EventItem['data']): EventItem['data'] => data;

/** Adds an act of a host or of a person at it to the audit log of the tenant too, with the number the host gave it. */
async function join(tx: Tx, subject: Subject, item: EventItem, actor: Actor): Promise<void> {
  const { siteId, hostId } = subject;
  const said = item.type === HOST_ACT ? hostActDataSchema.safeParse(item.data).data : undefined;
  if (said !== undefined) {
    const { action, by, detail } = said;
    await recordAudit(tx, actor, {
      tenant: subject.tenant,
      action: `host.${action}`,
      entity: 'host',
      entityId: subject.uid,
      detail: {
        ...detail,
        ...(by !== undefined && { actor: by }),
        siteId,
        hostId,
        seq: item.seq,
        at: item.ts,
      },
    });
    return;
  }
  const read = item.type === RECORDING_READ ? recordingReadDataSchema.safeParse(item.data).data : undefined;
  if (read === undefined) return;
  await recordAudit(tx, actor, {
    tenant: subject.tenant,
    action: 'read',
    entity: 'recording',
    entityId: read.fileName,
    detail: { actor: read.actor, siteId, hostId, seq: item.seq, at: item.ts },
  });
}

/** The few events that change something here; all others are only kept. */
async function act(tx: Tx, subject: Subject, item: EventItem, at: number, alarms: AlarmTable): Promise<void> {
  if (item.type === 'deviceHeartbeat') {
    const heartbeat = deviceHeartbeatDataSchema.safeParse(item.data).data;
    if (heartbeat === undefined) return;
    const { deviceId, status, expiration } = heartbeat;
    await setDeviceHeartbeat(tx, subject.tenant, deviceId, status, expiration);
    return;
  }
  if (item.type === DEVICES_SEEN) {
    const seen = devicesSeenDataSchema.safeParse(item.data).data;
    if (seen !== undefined) await setDevicesSeen(tx, subject.tenant, new Map(seen.devices));
    return;
  }
  if (item.type === USAGE_TYPE) {
    const usage = usageDataSchema.safeParse(item.data).data;
    if (usage !== undefined) await addUsage(tx, usageRows(subject.tenant, usage, at - item.ts));
    return;
  }
  const type = STANDING_ALARMS.find((name) => name === item.type);
  const alarm = type === undefined ? undefined : standingAlarmDataSchema.safeParse(item.data).data;
  if (type === undefined || alarm === undefined) return;
  const error = type === 'monitoringAlarm' ? alarm.error : type;
  if (error === undefined) return;
  const { status, severity, message, service = '', ...details } = alarm.errorDetails;
  const context = { isReported: alarm.told, key: item.id, late: item.late };
  const freeBytes = item.data.freeBytes === undefined ? {} : { freeBytes: item.data.freeBytes };
  if (status === 'cleared') await alarms.clear(tx, subject, error, service, context);
  else
    await alarms.raise(tx, subject, {
      error,
      service,
      severity,
      message,
      details: { ...details, ...freeBytes },
      at,
      ...context,
    });
}
