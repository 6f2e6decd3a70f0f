import { type AlarmEvent, codedFrom, type SourceAlarmEvent } from '#shared/alarm-event/index.ts';
import type { RaisedAlarm } from '../protocol/index.ts';

/** One instant on both clocks. Supervision counts on `monoMs`; `wallMs` is only shown. */
export interface Moment {
  readonly wallMs: number;
  readonly monoMs: number;
}

export type HeartbeatStatus = 'online' | 'offline';

/** A sign of life: a heartbeat, or any other event of the device. */
export interface SignOfLife {
  readonly tenant: string;
  /** Id of the provisioned device, or the one it would have. */
  readonly deviceId: string;
  /** Interval in force, ms. */
  readonly intervalMs: number;
  /** Bridge the device reports to: gets the event when the status changes. */
  readonly bridgeId: string;
  readonly protocol: string;
  /** A security panel that is supervised by heartbeats, for nothing was agreed for its link. */
  readonly beats?: boolean;
  readonly controllerId: string;
  readonly unitId?: string;
  readonly customerSiteId?: string;
}

/** A supervised device on the disk; the shape of the journal. */
export interface HeartbeatRecord {
  readonly tenant: string;
  readonly deviceId: string;
  readonly status: HeartbeatStatus;
  /** Last sign of life, epoch ms. */
  readonly lastMs: number;
  /** heartbeatExpiration, epoch ms. */
  readonly expiresMs: number;
  /** JSON of the last `SignOfLife`. */
  readonly body: string;
}

export type HeartbeatEffect =
  /** A device came or went: raise the alarm, deliver the event to the bridge as a record. */
  | {
      readonly type: 'changed';
      readonly tenant: string;
      readonly deviceId: string;
      readonly bridgeId: string;
      readonly status: HeartbeatStatus;
      readonly alarm: RaisedAlarm;
      readonly event: AlarmEvent;
      readonly source: SourceAlarmEvent;
    }
  | { readonly type: 'store'; readonly records: readonly HeartbeatRecord[] };

/** One supervised device in memory. */
export interface Watched {
  sign: SignOfLife;
  status: HeartbeatStatus;
  lastWallMs: number;
  lastMonoMs: number;
  /** Check at which it is looked at next; -1 = none, it is offline. */
  slot: number;
}

export const recordOf = ({ sign, status, lastWallMs }: Watched): HeartbeatRecord => ({
  tenant: sign.tenant,
  deviceId: sign.deviceId,
  status,
  lastMs: lastWallMs,
  expiresMs: lastWallMs + sign.intervalMs,
  body: JSON.stringify(sign),
});

/** The events for the platform and the receiver when a device comes or goes. */
export function changeOf(watched: Watched): HeartbeatEffect {
  const { sign, status } = watched;
  const { deviceId, lastMs, expiresMs } = recordOf(watched);
  const source: SourceAlarmEvent = {
    protocol: sign.protocol,
    raw: '',
    fields: { heartbeat: status, lastHeartbeat: lastMs, heartbeatExpiration: expiresMs },
    check: { policy: 'off', result: 'notChecked' },
    warnings: [],
  };
  return {
    type: 'changed',
    tenant: sign.tenant,
    deviceId,
    bridgeId: sign.bridgeId,
    status,
    alarm: {
      type: 'deviceHeartbeat',
      reason: status === 'online' ? 'the device reports again' : 'the device has stopped reporting',
      detail: { deviceId, status, expiration: expiresMs },
    },
    event: {
      controllerId: sign.controllerId,
      ...(sign.unitId !== undefined && { deviceId: sign.unitId }),
      deviceType: codedFrom('deviceType', 'heartbeat'),
      statusCode: codedFrom('statusCode', status),
      audio: 'none',
      priority: 0,
      ...(sign.customerSiteId !== undefined && { customerSiteId: sign.customerSiteId }),
    },
    source,
  };
}
