import type { LaneBytes, SubjectStep } from '../../delivery/outbox/index.ts';
import type { WriterReply, WriterRequest } from './journal-message.ts';
import type { CleanStep } from './journal-retention.ts';
import type { PackedWrite } from './journal-statement.ts';
import { StorageError } from './storage-error.ts';

/** Most callers that share one sync (control plane 5). */
const largestBatch = 64;

interface Unit {
  readonly writes: readonly PackedWrite[];
  readonly resolve: () => void;
  readonly reject: (error: StorageError) => void;
}
interface Chore {
  readonly request: WriterRequest;
  readonly resolve: (reply: WriterReply) => void;
  readonly reject: (error: StorageError) => void;
}

export interface GroupCommitSetting {
  readonly send: (request: WriterRequest) => Promise<WriterReply>;
  /** Called after each batch: callers in it, its time, and that of each synced COMMIT, ms. */
  readonly onBatch?: ((callers: number, ms: number, syncs: readonly number[]) => void) | undefined;
}

/**
 * Group commit without a waiting time. An idle journal writes at the end of the turn of the event loop; while a
 * batch is being synced the next one collects, so that the batch grows exactly as fast as the disk is slow.
 *
 * Chosen: no 5 ms window. Under load the sync in progress is the window; without load a window is only delay.
 * Housekeeping is one small chore between batches and goes first only when no commit waits.
 */
export class GroupCommit {
  private readonly setting: GroupCommitSetting;
  private units: Unit[] = [];
  private readonly chores: Chore[] = [];
  private running: Promise<void> | undefined;

  constructor(setting: GroupCommitSetting) {
    this.setting = setting;
  }

  commit(writes: readonly PackedWrite[]): Promise<void> {
    return new Promise((resolve, reject) => {
      this.units.push({ writes, resolve, reject });
      this.wake();
    });
  }

  chore(request: WriterRequest): Promise<WriterReply> {
    return new Promise((resolve, reject) => {
      this.chores.push({ request, resolve, reject });
      this.wake();
    });
  }

  /** Resolves when nothing waits any more. */
  async settled(): Promise<void> {
    await this.running;
  }

  private wake(): void {
    this.running ??= this.run();
  }

  private async run(): Promise<void> {
    // The rest of this turn of the event loop may have more for the first batch.
    await Promise.resolve();
    for (;;) {
      if (this.units.length > 0) await this.writeBatch();
      else if (this.chores.length > 0) await this.doChore();
      else break;
    }
    this.running = undefined;
  }

  private async writeBatch(): Promise<void> {
    const batch = this.units.slice(0, largestBatch);
    this.units = this.units.slice(largestBatch);
    try {
      const reply = await this.setting.send({ kind: 'commit', units: batch.map((unit) => unit.writes) });
      if (reply.kind !== 'committed') throw new StorageError(`unexpected answer ${reply.kind}`);
      const failed = new Map(reply.failed);
      batch.forEach((unit, index) => {
        const reason = failed.get(index);
        if (reason === undefined) unit.resolve();
        else unit.reject(new StorageError(reason));
      });
      this.setting.onBatch?.(batch.length, reply.ms, reply.syncs);
    } catch (thrown) {
      for (const unit of batch) unit.reject(storageError(thrown));
    }
  }

  private async doChore(): Promise<void> {
    const chore = this.chores.shift();
    if (chore === undefined) return;
    try {
      chore.resolve(await this.setting.send(chore.request));
    } catch (thrown) {
      chore.reject(storageError(thrown));
    }
  }
}

export function cleanedStep(reply: WriterReply): CleanStep {
  if (reply.kind === 'cleaned') return reply.step;
  throw new StorageError(reply.kind === 'refused' ? reply.reason : `unexpected answer ${reply.kind}`);
}

export function counted(reply: WriterReply): LaneBytes {
  if (reply.kind === 'counted') return reply.waiting;
  throw new StorageError(reply.kind === 'refused' ? reply.reason : `unexpected answer ${reply.kind}`);
}

export function subjectStepped(reply: WriterReply): SubjectStep {
  if (reply.kind === 'subject') return reply.step;
  throw new StorageError(reply.kind === 'refused' ? reply.reason : `unexpected answer ${reply.kind}`);
}

export function dropped(reply: WriterReply): number {
  if (reply.kind === 'dropped') return reply.rows;
  throw new StorageError(reply.kind === 'refused' ? reply.reason : `unexpected answer ${reply.kind}`);
}

const storageError = (thrown: unknown): StorageError =>
  thrown instanceof StorageError ? thrown : new StorageError(String(thrown));
