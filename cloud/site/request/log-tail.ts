import type { Right } from '#shared/access/index.ts';
import type { LogTailRequest, TailedLog } from '#shared/contract/site/index.ts';
import { fail, ok, type Result } from '#shared/result.ts';
import { type Call, hostByName, type Store } from '../../store/index.ts';
import type { HostName } from '../lifecycle/lifecycle-operations.ts';
import type { AskHost, RemoteFailure, RemoteRequests } from './remote-requests.ts';

export interface LogTailPort {
  readonly store: Store;
  /** The first look: who may, in which life of the host, and into the audit log with it. */
  readonly remote: RemoteRequests;
  readonly ask: AskHost;
  /** Runs it once after so many milliseconds. */
  readonly after: (ms: number, run: () => void) => void;
}

/** A log that is followed. Ends by `close`, or when `next` says `over`. */
export interface FollowedLog {
  readonly next: () => Promise<TailedLog>;
  readonly close: () => void;
}

/** Chosen: each look is a message to the host; a person who looks on begins again. */
const STEP_MS = 2_000;
const LONGEST_MS = 15 * 60_000;
const MOST = 10;
const ASK_MS = 10_000;
/** At first, and with each look: as much as fits into one answer of the host. */
const FIRST_LINES = 100;
const LINES = 300;
/** The number of shown lines that are compared with the next ones. */
const KEPT_LINES = 50;

/**
 * Follows the log of a host: one entry in the audit log, then a question every two seconds for as long as a person reads, a
 * quarter of an hour at most. `onOver`: it has ended though the reader did not close it. Fails like a request to a host, and
 * with `tooManyRequests`.
 */
export function createLogTails({ store, remote, ask, after }: LogTailPort) {
  const open = new Map<string, number>();

  return async (
    call: Call,
    host: HostName,
    { level, match }: LogTailRequest,
    lackOf: (right: Right) => string | undefined,
    onOver: () => void,
  ): Promise<
    Result<FollowedLog, RemoteFailure | { readonly code: 'tooManyRequests'; readonly reason: string }>
  > => {
    const { tenant } = call;
    const running = open.get(tenant) ?? 0;
    if (running >= MOST)
      return fail(
        'tooManyRequests',
        `The log is not opened: the tenant follows ${MOST} logs, the most that it can. Close one of them.`,
      );
    const args = (lines: number) => ({ lines, ...(level && { level }), ...(match && { match }) });
    open.set(tenant, running + 1);
    let ended = false;
    const end = (): void => {
      if (ended) return;
      ended = true;
      open.set(tenant, (open.get(tenant) ?? 1) - 1);
    };
    const first = await remote(call, host, 'logs.tail', args(FIRST_LINES), lackOf);
    const row = first.ok ? await hostByName(store, tenant, host.siteId, host.hostId) : undefined;
    if (!first.ok || row === undefined) {
      end();
      return first.ok
        ? fail('notFound', `The host ${host.hostId} does not exist in site ${host.siteId}. Check both ids.`)
        : first;
    }
    after(LONGEST_MS, () => {
      if (ended) return;
      end();
      onOver();
    });

    let waiting: TailedLog | undefined = {
      event: 'lines',
      data: { lines: linesOf(first.value), gap: false },
    };
    let seen = waiting.data.lines.slice(-KEPT_LINES);

    const next = async (): Promise<TailedLog> => {
      const ready = waiting;
      waiting = undefined;
      if (ready !== undefined) return ready;
      await new Promise<void>((resolve) => after(STEP_MS, resolve));
      if (ended)
        return {
          event: 'over',
          data: {
            reason:
              'The stream has ended: a log is followed for a quarter of an hour. Open the stream again.',
          },
        };
      const by = `user:${call.actor.name}`;
      const answer = await ask(row.uid, { op: 'logs.tail', args: args(LINES), forMs: ASK_MS, by });
      if (!answer.ok) return { event: 'trouble', data: { reason: `${host.hostId}: ${answer.error.reason}` } };
      if (!answer.value.ok)
        return {
          event: 'trouble',
          data: { reason: `${host.hostId} refused: ${answer.value.error?.reason ?? 'it gave no reason'}` },
        };
      const newLines = unseenOf(seen, linesOf(answer.value.data));
      seen = [...seen, ...newLines.lines].slice(-KEPT_LINES);
      return { event: 'lines', data: newLines };
    };
    return ok({ next, close: end });
  };
}

export type LogTails = ReturnType<typeof createLogTails>;

const linesOf = ({ lines }: Readonly<Record<string, unknown>>): string[] =>
  Array.isArray(lines) ? lines.map(String) : [];

/** The lines at the end of a log that were not shown yet; `gap`: lines in between were missed. `seen`: the last ones shown. */
export function unseenOf(
  seen: readonly string[],
  batch: readonly string[],
): { readonly lines: string[]; readonly gap: boolean } {
  if (seen.length === 0 || batch.length === 0) return { lines: [...batch], gap: false };
  for (let end = batch.length; end > 0; end--) {
    const count = Math.min(end, seen.length);
    const known = seen.slice(-count);
    if (known.every((line, index) => batch[end - count + index] === line))
      return { lines: batch.slice(end), gap: false };
  }
  return { lines: [...batch], gap: true };
}
