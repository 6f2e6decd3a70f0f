import { invalid } from '#shared/contract/invalid.ts';
import { type Device, deviceRequestSchema } from '#shared/contract/provisioning/index.ts';
import { type Failure, fail, ok, type Result } from '#shared/result.ts';
import {
  type BulkJobRow,
  type Call,
  liveReplicas,
  mutate,
  putBulkJob,
  readBulkJob,
  type Store,
  startedBulkJobs,
  updateBulkJob,
} from '../../store/index.ts';
import { type RowError, withErrors } from './bulk-error.ts';
import type { BesideMany } from './device.ts';
import { type Column, readHeader, readRow } from './device-column.ts';

/** Rows of one transaction: each is applied whole or not at all. */
const BATCH = 500;
const TRIES = 3;
/** Rows checked between two breaths. */
const BREATH = 50;
const REASON_LENGTH = 300;

/** Cells of each record, the header first; a failure `malformed` ends them where the text cannot be read further. */
export type CsvRecords = AsyncGenerator<Result<string[]>, void, undefined>;

export interface BulkPort {
  readonly store: Store;
  /** The name of this replica, one for each start. */
  readonly replica: string;
  readonly nowMs: () => number;
  readonly readCsv: (chunks: readonly Uint8Array[]) => CsvRecords;
  /** Lets waiting requests be served before a load goes on. */
  readonly breathe: () => Promise<void>;
  readonly onDefect: (error: unknown, bulkId: string) => void;
}

interface Load {
  readonly call: Call;
  readonly id: string;
  readonly dryRun: boolean;
  readonly columns: readonly Column[];
  readonly records: CsvRecords;
  /** Device and the row it came with. */
  readonly seen: Map<string, number>;
  readonly errors: RowError[];
  rowCount: number;
  failed: number;
}

interface Parsed {
  readonly row: number;
  readonly device: Result<Device>;
}

/** Writes a batch, each device for itself, and the progress of the load, in one transaction. */
type PutDevices = (call: Call, many: readonly Device[], beside: BesideMany) => Promise<Result<unknown>>;

/** Thrown inside the transaction of a dry run once it has shown that the rows could be applied. */
const DRY_RUN = 'dryRun';

/**
 * Devices by CSV (decisions of the project, section 3): taken at once, applied in transactions of 500 while everything
 * else is served. The count of a job is written in the transaction of the rows, so that it is never ahead of them.
 *
 *     start ── STARTED ── batch, batch, … ── COMPLETED
 *                 │ the text ends badly, a defect, the program ends ── FAILED (what was applied stays, and is counted)
 */
export function deviceBulk(port: BulkPort, putDevices: PutDevices) {
  const { store, nowMs, breathe } = port;
  const running = new Map<
    string,
    { readonly id: string; readonly about: number; readonly work: Promise<void> }
  >();
  let stopping = false;

  /** A transaction that came to nothing, as one that took too long on a busy machine, is begun again. */
  async function inTries<T>(transaction: () => Promise<T>): Promise<T> {
    for (let tried = 1; ; tried++) {
      try {
        return await transaction();
      } catch (cause) {
        if (tried === TRIES) throw cause;
        await breathe();
      }
    }
  }

  async function applied(load: Load, batch: readonly Parsed[]): Promise<void> {
    const good = batch.flatMap(({ row, device }) => (device.ok ? [{ row, device: device.value }] : []));
    const refused = batch.flatMap(({ row, device }) => (device.ok ? [] : [refusalOf(row, device.error)]));
    const at = nowMs();
    const call = { ...load.call, actor: { ...load.call.actor, at } };
    let count: Pick<BulkJobRow, 'rowCount' | 'failed' | 'errors'> | undefined;
    const write: BesideMany['write'] = async (tx, results) => {
      const late = results.flatMap((result, index) =>
        result.ok ? [] : [refusalOf(good[index]?.row ?? 0, result.error)],
      );
      const errors = [...refused, ...late].toSorted((a, b) => a.row - b.row);
      count = {
        rowCount: load.rowCount + batch.length,
        failed: load.failed + errors.length,
        errors: withErrors(load.errors, errors),
      };
      if (load.dryRun) return fail(DRY_RUN, 'Nothing is to be written.');
      await updateBulkJob(tx, call.tenant, load.id, count);
      return ok(null);
    };
    const devices = good.map(({ device }) => device);
    const result = await inTries(() => putDevices(call, devices, { write, breathe }));
    if (!result.ok && result.error.code !== DRY_RUN) throw new Error(result.error.reason);
    if (count === undefined) throw new Error('a batch of a load was not counted');
    const { rowCount, failed, errors } = count;
    if (load.dryRun)
      await store.withTx((tx) => updateBulkJob(tx, call.tenant, load.id, { rowCount, failed, errors }));
    load.rowCount = rowCount;
    load.failed = failed;
    load.errors.splice(0, load.errors.length, ...errors);
  }

  /** Null = every row was dealt with; else why not. */
  async function run(load: Load): Promise<string | null> {
    let batch: Parsed[] = [];
    let row = 0;
    let fault: string | null = null;
    for await (const record of load.records) {
      if (!record.ok) {
        fault = record.error.reason;
        break;
      }
      row += 1;
      batch.push({ row, device: deviceOf(load, row, record.value) });
      if (batch.length % BREATH === 0) await breathe();
      if (batch.length < BATCH) continue;
      await applied(load, batch);
      batch = [];
      if (stopping) return 'the program was stopped';
    }
    if (batch.length > 0) await applied(load, batch);
    return fault;
  }

  const stopped = (load: Load, status: 'COMPLETED' | 'FAILED', reason: string | null): Promise<void> =>
    store.withTx((tx) =>
      updateBulkJob(tx, load.call.tenant, load.id, { status, reason, stoppedAt: nowMs() }),
    );

  async function carriedOut(load: Load): Promise<void> {
    const fault = await run(load).catch((cause: unknown) => {
      port.onDefect(cause, load.id);
      return 'the import failed: the control plane has a defect';
    });
    if (fault === null) await stopped(load, 'COMPLETED', null);
    else await stopped(load, 'FAILED', `${fault}; ${soFar(load)}`);
  }

  return {
    /**
     * Takes a load; it goes on after the answer. Fails with `invalid` when the first row is no header, with `conflict`
     * while another load of the tenant is under way.
     */
    start: async (
      call: Call,
      id: string,
      dryRun: boolean,
      chunks: readonly Uint8Array[],
    ): Promise<Result<{ id: string }>> => {
      const records = port.readCsv(chunks);
      const header = await headerOf(records);
      if (!header.ok) return header;
      const row: BulkJobRow = {
        tenant: call.tenant,
        id,
        status: 'STARTED',
        dryRun,
        startedAt: nowMs(),
        stoppedAt: null,
        rowCount: 0,
        failed: 0,
        reason: null,
        errors: [],
        replica: port.replica,
      };
      const begun = await mutate(store, call, async (tx) => {
        const [other] = await startedBulkJobs(tx, call.tenant);
        if (other !== undefined)
          return fail(
            'conflict',
            `The import is refused: the import ${other.id} is running. Wait until it has ended.`,
          );
        await putBulkJob(tx, row);
        return ok({ id });
      });
      if (!begun.ok) {
        await records.return();
        return begun;
      }
      const load = {
        call,
        id,
        dryRun,
        columns: header.value,
        records,
        seen: new Map(),
        errors: [],
        rowCount: 0,
        failed: 0,
      };
      const work = carriedOut(load)
        .catch((cause: unknown) => port.onDefect(cause, id))
        .finally(() => running.delete(call.tenant));
      running.set(call.tenant, { id, about: rowsAbout(chunks), work });
      return begun;
    },

    /** How a load goes, or went; `about`: rows of its text, while it runs here. Fails with `notFound`. */
    read: async (tenant: string, id: string): Promise<Result<BulkJobRow & { readonly about?: number }>> => {
      const row = await readBulkJob(store, tenant, id);
      if (row === undefined) return fail('notFound', `The import ${id} does not exist. Check the id.`);
      const own = running.get(tenant);
      return ok(own?.id === id ? { ...row, about: own.about } : row);
    },

    /** Loads whose replica is dead are over; their count is what was applied. */
    recover: (): Promise<void> =>
      store.withTx(async (tx) => {
        const alive = new Set((await liveReplicas(tx)).map(({ id }) => id));
        for (const job of await startedBulkJobs(tx))
          if (job.replica === null || !alive.has(job.replica))
            await updateBulkJob(tx, job.tenant, job.id, {
              status: 'FAILED',
              stoppedAt: nowMs(),
              reason: `the program ended during the import; ${soFar(job)}`,
            });
      }),

    /** Ends the loads under way behind the batch they are at. */
    stop: async (): Promise<void> => {
      stopping = true;
      await Promise.all([...running.values()].map(({ work }) => work));
    },
  };
}

export type DeviceBulk = ReturnType<typeof deviceBulk>;

async function headerOf(records: CsvRecords): Promise<Result<readonly Column[]>> {
  const { done, value: first } = await records.next();
  if (done === true)
    return fail('invalid', 'The import is refused: the body has no row. Send at least one device.', '/0');
  return first.ok ? readHeader(first.value) : first;
}

function deviceOf(load: Load, row: number, cells: readonly string[]): Result<Device> {
  const described = readRow(load.columns, cells);
  if (!described.ok) return described;
  const parsed = deviceRequestSchema.safeParse(described.value);
  if (!parsed.success) return { ok: false, error: invalid(parsed.error) };
  const device = parsed.data;
  if (device.authType === 'credentials' && device.ha1 === undefined)
    return fail(
      'invalid',
      '/ha1: is mandatory in an import, because a generated password could not be shown',
      '/ha1',
    );
  const before = load.seen.get(device.deviceId);
  if (before !== undefined)
    return fail('invalid', `/deviceId: must be unique; row ${before} has the same deviceId`, '/deviceId');
  load.seen.set(device.deviceId, row);
  return ok(device);
}

/** Lines below the header: cells may have line breaks, hence about. */
function rowsAbout(chunks: readonly Uint8Array[]): number {
  let lines = 0;
  for (const chunk of chunks) for (const byte of chunk) if (byte === LINE_FEED) lines += 1;
  const endsOpen = chunks.at(-1)?.at(-1) !== LINE_FEED;
  return Math.max(0, lines - (endsOpen ? 0 : 1));
}

const LINE_FEED = 10;

const refusalOf = (row: number, { reason }: Failure) => ({ row, reason: reason.slice(0, REASON_LENGTH) });

const soFar = ({ rowCount, failed, dryRun }: Pick<BulkJobRow, 'rowCount' | 'failed' | 'dryRun'>): string =>
  `${rowCount - failed} of the first ${rowCount} rows ${dryRun ? 'could be' : 'were'} applied`;
