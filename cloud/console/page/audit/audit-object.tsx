import type { ObjectKind } from '../../client/name.ts';
import { ObjectLink } from '../../component/object-link.tsx';
import type { Entry } from './audit-entry.tsx';

/** Kinds of resource of the audit log that have a page, as the console names them. */
const KINDS: Readonly<Record<string, ObjectKind>> = {
  alarmbridge: 'receiver',
  alarmeventmapper: 'sender',
  mediaservice: 'mediaService',
  cloudsipua: 'userAgent',
  callrecording: 'recordingService',
  trunk: 'trunk',
  device: 'device',
  site: 'site',
  user: 'person',
  person: 'person',
  apitoken: 'token',
  apikey: 'key',
  record: 'record',
  trace: 'record',
  capture: 'record',
  alarm: 'incident',
};

/** The resource that was changed, as a link with its name where it has a page. */
export function AuditObject({ entry: { entity, entityId, detail } }: { readonly entry: Entry }) {
  if (entity === 'host') {
    const place = placeOf(entityId, detail);
    return place === undefined ? entityId : <ObjectLink kind="host" id={place} />;
  }
  const kind = KINDS[entity];
  return kind === undefined ? entityId : <ObjectLink kind={kind} id={entityId} />;
}

/** The page of a host is named by site and host; the log names its uid, and the place beside it. */
function placeOf(entityId: string, detail: unknown): string | undefined {
  if (entityId.includes('/')) return entityId;
  const { siteId, hostId } = (detail ?? {}) as { readonly siteId?: unknown; readonly hostId?: unknown };
  return typeof siteId === 'string' && typeof hostId === 'string' ? `${siteId}/${hostId}` : undefined;
}
