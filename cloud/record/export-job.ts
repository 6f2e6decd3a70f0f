import {
  type RecordExportJob,
  type RecordExportRequest,
  recordExportRequestSchema,
} from '#shared/contract/session-record/index.ts';
import { fail, ok, type Result } from '#shared/result.ts';
import { rangeOf } from './search.ts';

/** A search whose range is fixed, and the format of its file. */
export type ExportSearch = RecordExportRequest & { readonly from: number; readonly to: number };

/** The id of a job is its search. A long filter is 1 KiB at most. */
const MOST_CHARS = 4_096;

/** The search of a request: its range is that of the moment, so that two downloads look at the same time. */
export function exportSearch(request: RecordExportRequest, nowMs: number): ExportSearch {
  const { fromMs } = rangeOf(request, nowMs);
  return { ...request, from: fromMs, to: request.to ?? nowMs + 1 };
}

export function exportJob(domain: string, search: ExportSearch): RecordExportJob {
  const jobId = Buffer.from(JSON.stringify(search), 'utf8').toString('base64url');
  return { jobId, state: 'ready', ...search, path: `/record/${domain}/export/${jobId}/file` };
}

/** The search of an id. Fails with `notFound` for an id that no export has. */
export function searchOfJob(jobId: string): Result<ExportSearch> {
  try {
    if (jobId.length <= MOST_CHARS) {
      const given: unknown = JSON.parse(Buffer.from(jobId, 'base64url').toString('utf8'));
      const { from, to, ...rest } = recordExportRequestSchema.parse(given);
      if (from !== undefined && to !== undefined) return ok({ ...rest, from, to });
    }
  } catch {
    // No JSON, or no search: the same answer as for any other id.
  }
  return fail('notFound', 'The export does not exist. Start one with POST /record/{domain}/export.');
}
