import type { ConfigFault } from '#shared/contract/feed/index.ts';
import {
  replicatedAlarmBridgeSchema,
  replicatedDeviceSchema,
  replicatedNotificationSettingsSchema,
} from '#shared/contract/provisioning/index.ts';
import type { EntityBody, ModelChange } from './tenant-model.ts';

const schemas = {
  alarmbridge: replicatedAlarmBridgeSchema,
  device: replicatedDeviceSchema,
  notificationsettings: replicatedNotificationSettingsSchema,
} as const;

const isModelled = (entity: string): entity is keyof EntityBody => Object.hasOwn(schemas, entity);

export type ReadBody =
  | { readonly change: ModelChange | undefined; readonly faults?: never }
  | { readonly faults: readonly ConfigFault[] };

/**
 * What a stored or fetched body means to the engines; no change for an entity they do not know yet, which is kept as it
 * is. Faults name the place: `/alarmbridge/01h…/destinationMatch`.
 */
export function readBody(entity: string, id: string, body: unknown): ReadBody {
  if (!isModelled(entity)) return { change: undefined };
  // The id of a bridge stands beside its body; the key of a device is a field of it, and both must agree.
  const named = entity === 'alarmbridge' && isRecord(body) ? { ...body, id } : body;
  const read = schemas[entity].safeParse(named);
  if (!read.success) return { faults: read.error.issues.map((issue) => faultOf(entity, id, issue)) };
  if (entity === 'device' && 'deviceId' in read.data && read.data.deviceId !== id) {
    const msg = `is ${read.data.deviceId}, and the row says ${id}`;
    return { faults: [{ code: 'invalid', path: `/device/${id}/deviceId`, msg }] };
  }
  return { change: { op: 'put', entity, id, body: read.data } as ModelChange };
}

/** The removal of a row, when it means something to the engines. */
export const readRemoval = (entity: string, id: string): ModelChange | undefined =>
  isModelled(entity) ? { op: 'remove', entity, id } : undefined;

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

interface Issue {
  readonly code?: string | undefined;
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly params?: { readonly code?: unknown } | undefined;
}

function faultOf(entity: string, id: string, issue: Issue): ConfigFault {
  const path = ['', entity, id, ...issue.path.map(String)]
    .map((part) => part.replaceAll('~', '~0').replaceAll('/', '~1'))
    .join('/');
  const code = typeof issue.params?.code === 'string' ? issue.params.code : 'invalid';
  return { code, path, msg: issue.message };
}
