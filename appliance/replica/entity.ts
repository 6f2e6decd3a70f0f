import {
  replicatedApiKeySchema,
  replicatedApiTokenSchema,
  replicatedPlatformSchema,
  replicatedRevocationSchema,
  replicatedTenantSchema,
  replicatedVerifyKeySchema,
} from '#shared/contract/access/index.ts';
import type { ConfigFault } from '#shared/contract/feed/index.ts';
import {
  replicatedAlarmBridgeSchema,
  replicatedAlarmEventMapperSchema,
  replicatedCloudSipUaSchema,
  replicatedDeviceSchema,
  replicatedMediaServiceSchema,
  replicatedNotificationSettingsSchema,
  replicatedProtocolProfileSchema,
  replicatedRecordingServiceSchema,
  replicatedTrunkSchema,
} from '#shared/contract/provisioning/index.ts';
import { replicatedPromptFileSchema } from '#shared/contract/runtime/index.ts';
import { replicatedMaintenanceSchema } from '#shared/contract/site/index.ts';
import type { EntityBody, ModelChange } from './tenant-model.ts';

const schemas = {
  alarmbridge: replicatedAlarmBridgeSchema,
  alarmeventmapper: replicatedAlarmEventMapperSchema,
  cloudsipua: replicatedCloudSipUaSchema,
  trunk: replicatedTrunkSchema,
  mediaservice: replicatedMediaServiceSchema,
  callrecording: replicatedRecordingServiceSchema,
  protocolprofile: replicatedProtocolProfileSchema,
  device: replicatedDeviceSchema,
  notificationsettings: replicatedNotificationSettingsSchema,
  apikey: replicatedApiKeySchema,
  apitoken: replicatedApiTokenSchema,
  revocation: replicatedRevocationSchema,
  tenant: replicatedTenantSchema,
  promptfile: replicatedPromptFileSchema,
  platform: replicatedPlatformSchema,
  verifykey: replicatedVerifyKeySchema,
  maintenance: replicatedMaintenanceSchema,
} as const;

/** Entities the engines read; rows of others are kept for a newer program. */
export const ENTITIES = Object.keys(schemas) as readonly (keyof EntityBody)[];

const isModelled = (entity: string): entity is keyof EntityBody => Object.hasOwn(schemas, entity);

/** Fields that a row is named by; rows of the other entities have an id of their own. */
const KEY_FIELD: Partial<Record<keyof EntityBody, string>> = {
  device: 'deviceId',
  protocolprofile: 'name',
  apikey: 'kid',
  revocation: 'jti',
  tenant: 'domain',
  promptfile: 'name',
  verifykey: 'kid',
};

export type ReadBody =
  | { readonly change: ModelChange | undefined; readonly faults?: never }
  | { readonly faults: readonly ConfigFault[] };

/**
 * The meaning of a stored or fetched body for the engines; no change for an entity they do not know yet, which is kept as it
 * is. Faults name the place: `/alarmbridge/01h…/destinationMatch`.
 */
export function readBody(entity: string, id: string, body: unknown): ReadBody {
  if (!isModelled(entity)) return { change: undefined };
  const field = KEY_FIELD[entity];
  // The id of most rows stands beside the body; where it is a field of its own, both must agree.
  const named = field === undefined && isRecord(body) ? { ...body, id } : body;
  const read = readOpen(schemas[entity], named);
  if (!read.success) return { faults: read.error.issues.map((issue) => faultOf(entity, id, issue)) };
  const key = field === undefined ? id : (read.data as Record<string, unknown>)[field];
  if (key !== id) {
    const msg = `is ${String(key)}, and the row says ${id}`;
    return { faults: [{ code: 'invalid', path: `/${entity}/${id}/${field}`, msg }] };
  }
  return { change: { op: 'put', entity, id, body: read.data } as ModelChange };
}

type Schema = (typeof schemas)[keyof EntityBody];

/** Properties that a newer cloud has added, however deep, are dropped: an older program runs under it as it can. */
function readOpen(schema: Schema, body: unknown): ReturnType<Schema['safeParse']> {
  const read = schema.safeParse(body);
  const unknown = (read.error?.issues ?? []).filter((issue) => issue.code === 'unrecognized_keys');
  if (unknown.length === 0) return read;
  const known = structuredClone(body);
  for (const { path, keys } of unknown) {
    let at = known as Record<PropertyKey, unknown>;
    for (const step of path) at = at[step] as Record<PropertyKey, unknown>;
    for (const key of keys) delete at[key];
  }
  return schema.safeParse(known);
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
