import { SqliteError } from 'better-sqlite3';
import { every } from '#shared/timer/index.ts';
import type { WriterEvent, WriterReply, WriterRequest, WriterSetting } from './journal-message.ts';
import { dropOldest, waitingBytes } from './journal-quota.ts';
import { cleanStep } from './journal-retention.ts';
import { JournalWriter } from './journal-writer.ts';

const QUIET_MS = 2;
const LOOK_MS = 1_000;

/**
 * Opens or creates the file, says that it is ready, and returns the function that answers requests: one request, one reply. The
 * checkpoint comes after the reply, between batches. Throws where the file cannot be opened.
 */
export function serveJournal(
  setting: WriterSetting,
  reply: (message: WriterReply | WriterEvent) => void,
): (request: WriterRequest) => void {
  const writer = new JournalWriter(setting, (salvage) => reply({ kind: 'salvaged', salvage }));
  let quietTimer: NodeJS.Timeout | undefined;
  /** An idle journal notices that its file was removed, too; an error shows at the next commit, whose callers get it. */
  const stopLooking = every(LOOK_MS, () => void writer.kept());

  /**
   * A batch that comes within 2 ms postpones the checkpoint of a quiet moment. Most batches leave nothing to move: a timer behind each
   * of them would wake the thread once more for every commit of a quiet site.
   */
  function checkpointWhenQuiet(): void {
    clearTimeout(quietTimer);
    if (writer.checkpoint(false)) quietTimer = setTimeout(() => writer.checkpoint(true), QUIET_MS);
  }

  /** A chore: what goes wrong with it is the asker's to know, and no reason to end the thread. */
  function answer(chore: () => WriterReply): void {
    try {
      reply(chore());
    } catch (thrown) {
      writer.salvaged(thrown);
      reply({ kind: 'refused', reason: String(thrown) });
    }
    checkpointWhenQuiet();
  }

  function serve(request: WriterRequest): void {
    switch (request.kind) {
      case 'commit': {
        const begunMs = performance.now();
        const failed = writer.commit(request.units);
        const ms = performance.now() - begunMs;
        reply({ kind: 'committed', failed, ms, syncs: writer.takeSyncs() });
        checkpointWhenQuiet();
        return;
      }
      case 'clean':
        answer(() => ({
          kind: 'cleaned',
          step: cleanStep(writer.db, request.position, request.nowMs, request.kept),
        }));
        return;
      case 'waiting':
        answer(() => ({ kind: 'counted', waiting: waitingBytes(writer.db) }));
        return;
      case 'drop':
        answer(() => ({ kind: 'dropped', rows: dropOldest(writer.db, request.lane, request.bytes) }));
        return;
      case 'subject':
        // Hardly ever asked for, and what it brings along would cost the thread megabytes for ever.
        void import('./journal-subject.ts').then(
          ({ subjectStep }) =>
            answer(() => ({ kind: 'subject', step: subjectStep(writer.db, request.step) })),
          (thrown: unknown) => reply({ kind: 'refused', reason: String(thrown) }),
        );
        return;
      case 'salvage':
        answer(() => {
          writer.salvaged(new SqliteError(request.fault, 'SQLITE_CORRUPT'));
          return { kind: 'done' };
        });
        return;
      case 'salvageTold':
        answer(() => {
          writer.salvageReported();
          return { kind: 'done' };
        });
        return;
      case 'close':
        clearTimeout(quietTimer);
        stopLooking();
        writer.close();
        reply({ kind: 'closed' });
        return;
    }
  }

  reply({ kind: 'ready', counters: writer.counters() });
  return serve;
}
