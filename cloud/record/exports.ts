import type { RecordExportJob, RecordExportRequest } from '#shared/contract/session-record/index.ts';
import { fail, ok, type Result } from '#shared/result.ts';
import { type Call, mutate, recordAudit } from '../store/index.ts';
import { type ExportSearch, exportJob, exportSearch, searchOfJob } from './export-job.ts';
import { exportHead, exportLines } from './format/export-text.ts';
import { type SearchPort, searchRecords } from './search.ts';

/** Records of one read. */
const AT_ONCE = 500;

/** A file that is written while it is read. */
export interface ExportFile {
  readonly format: RecordExportRequest['format'];
  readonly text: AsyncGenerator<string>;
}

/**
 * Exports of records.
 *
 * Chosen: the id of an export is its search, and the file is written while it is read. So every process of the control plane
 * knows every export, also after a restart, and no copy of a record outlives its erasure. Rights, tenant and masking are those of
 * the caller who downloads.
 */
export interface RecordExports {
  /** Fails with `forbidden` as the list does. */
  readonly start: (
    call: Call,
    request: RecordExportRequest,
    whole: boolean,
  ) => Promise<Result<RecordExportJob>>;
  /** Fails with `notFound`. */
  readonly read: (domain: string, jobId: string) => Result<RecordExportJob>;
  /** Fails with `notFound`, and with `forbidden` as the list does. */
  readonly open: (call: Call, jobId: string, whole: boolean) => Promise<Result<ExportFile>>;
}

export function createRecordExports(port: SearchPort): RecordExports {
  const audited = async (call: Call, action: 'create' | 'read', search: ExportSearch, whole: boolean) => {
    const { number, ...others } = search;
    // The log of changes is not the place of numbers that were searched for.
    const detail = { ...others, ...(number !== undefined && { byNumber: true }), masked: !whole };
    await mutate(port.store, call, async (tx) => {
      await recordAudit(tx, call.actor, {
        ...{ tenant: call.tenant, action, entity: 'recordExport' },
        ...{ entityId: search.format, detail },
      });
      return ok(null);
    });
  };
  return {
    start: async (call, request, whole) => {
      if (request.number !== undefined && !whole) return hiddenNumbers;
      const search = exportSearch(request, port.nowMs());
      await audited(call, 'create', search, whole);
      return ok(exportJob(call.domain, search));
    },
    read: (domain, jobId) => {
      const search = searchOfJob(jobId);
      return search.ok ? ok(exportJob(domain, search.value)) : search;
    },
    open: async (call, jobId, whole) => {
      const search = searchOfJob(jobId);
      if (!search.ok) return search;
      if (search.value.number !== undefined && !whole) return hiddenNumbers;
      await audited(call, 'read', search.value, whole);
      return ok({
        format: search.value.format,
        text: linesOf(port, call.tenant, search.value, whole),
      });
    },
  };
}

const hiddenNumbers = fail(
  'forbidden',
  'The export is refused: the caller does not see whole numbers, and must not search for them. Use a token of an operator.',
);

/** The text of the file, one read after the other: the next one begins when the text before was taken. */
async function* linesOf(
  port: SearchPort,
  tenant: string,
  { format, ...search }: ExportSearch,
  whole: boolean,
): AsyncGenerator<string> {
  yield exportHead(format);
  for (let after: string | undefined = ''; after !== undefined; ) {
    const page = await searchRecords(port, tenant, search, { after, limit: AT_ONCE, whole });
    // An export that stops in the middle must not look like a whole one.
    if (!page.ok) throw new Error(page.error.reason);
    yield exportLines(format, page.value.items);
    after = page.value.next;
  }
}
