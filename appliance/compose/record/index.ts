export { historyTrials } from './history.ts';

import { join } from 'node:path';
import type { Clock } from '#shared/clock.ts';
import type { SessionRecord } from '#shared/contract/session-record/index.ts';
import { ok } from '#shared/result.ts';
import type { ApplianceConfig } from '../../config.ts';
import { bearerCrypto, type RecordPage } from '../../io/site-listener/index.ts';
import { openRecordStore, type RecordStore } from '../../io/sqlite/record-store/index.ts';
import type { Log } from '../../io/system/index.ts';
import type { EngineTimers } from '../../kernel/engine-timers.ts';
import { admit } from '../../operation/index.ts';
import { masked, readRecordQuery, SessionRecorder, tokenAfter } from '../../record/index.ts';
import type { TenantModel } from '../../replica/index.ts';
import { type DamageReports, recordDamage } from '../../site/supervision/index.ts';
import { type PartSources, sessionPart } from './session-part.ts';

/** The store of records in the data folder. */
export const openRecords = (
  { data, recordBytes }: ApplianceConfig,
  log: Log,
  damage: Pick<DamageReports, 'found'>,
): Promise<RecordStore> =>
  openRecordStore({
    file: join(data, 'record.db'),
    quotaBytes: recordBytes,
    log,
    onDamage: (found) => damage.found(recordDamage(found)),
  });

/** The observer of all traces of this host. */
export const openRecorder = (
  records: RecordStore,
  tenantRevision: () => number,
  host: { readonly timers: EngineTimers; readonly log: Log; readonly clock: Clock; readonly program: string },
): SessionRecorder => new SessionRecorder({ ...host, sink: records, configRevision: tenantRevision });

/** The record with the numbers as the tenant lets them leave the site. */
export function leavingSite(
  record: SessionRecord,
  { domain, notification }: TenantModel,
  sha256Hex: (text: string) => string,
): SessionRecord {
  const { recordNumbers = 'whole', recordSalt = domain } = notification;
  return masked(record, recordNumbers, { sha256Hex, salt: recordSalt });
}

/** The same rights as at the control plane: a trace has whole numbers, a capture needs a scope of its own. */
const TRACE_AREAS = ['runtime', 'provisioning', 'site'] as const;
const CAPTURE_AREAS = ['capture'] as const;

/** Records as clients of the site ask for them. */
export const recordPage = (
  records: RecordStore,
  tenant: () => TenantModel,
  { siteBaseUrl, ...sources }: { readonly siteBaseUrl: string } & PartSources,
): RecordPage => {
  const { clock } = sources.ports;
  const crypto = bearerCrypto();
  return {
    admit: async (authorization, domain, part) => {
      const { domain: own, access } = tenant();
      const ports = { domain: own, access, siteBaseUrl, crypto };
      const nowMs = clock.wallMs();
      if (part === undefined) return await admit(ports, authorization, domain, nowMs, 'reading');
      const areas = part === 'trace' ? TRACE_AREAS : CAPTURE_AREAS;
      return await admit(ports, authorization, domain, nowMs, ['operation', 'lifecycle'], areas);
    },
    list: async (parameters) => {
      const query = readRecordQuery(parameters, clock.wallMs());
      if (!query.ok) return query;
      const { limit } = query.value;
      const found = await records.list({ ...query.value, limit: limit + 1 });
      const page = found.slice(0, limit);
      const last = found.length > limit ? page.at(-1) : undefined;
      return ok({ records: page, ...(last !== undefined && { nextToken: tokenAfter(last) }) });
    },
    byId: (recordId) => records.byId(recordId),
    part: (record, part, by) => sessionPart(sources, record, part, by),
  };
};

/** Most records that the technician's page shows. */
const SHOWN = 50;
const DAY_MS = 86_400_000;

/** The newest records of the last 24 h, for the technician's page. */
export const newestRecords = (records: RecordStore, nowMs: number): Promise<readonly SessionRecord[]> => {
  return records.list({ fromMs: nowMs - DAY_MS, toMs: nowMs + 1, limit: SHOWN });
};
