import {
  CommitRing,
  deliverable,
  type Journal,
  type JournalWrite,
  type OutboxRow,
} from '../../../delivery/outbox/index.ts';
import type { KernelPorts } from '../../../kernel/port.ts';
import { copiesOf, isPromise } from '../../peer/index.ts';

/** Another host of the site that keeps our rows too. */
export interface Copies {
  /** There is one that takes rows now. */
  readonly available: () => boolean;
  /** True: it has them on its disk; false: not within 150 ms. */
  readonly copy: (writes: ReturnType<typeof copiesOf>) => Promise<boolean>;
  /** Counts the hosts that have kept our rows: another one has compared with the disk as it was when it began. */
  readonly holder: () => number;
  /** It learns of them within a second. */
  readonly note: (writes: ReturnType<typeof copiesOf>) => void;
}

export interface SiteJournalPorts extends Pick<KernelPorts, 'log'> {
  readonly journal: Journal;
  readonly copies: Copies;
  /** A row whose commit was refused: it is delivered from memory, and no answer promised that it is kept. */
  readonly onHeld: (row: OutboxRow) => void;
}

/** Commits of the ring that are written between two of others. */
const WRITE_BACK = 20;

const NO_CAUSE = new Error('the journal refused the commit and named no cause');

/**
 * The journal of a host in its site: what is promised is on our disk and, while another host takes rows, on its disk too.
 *
 *     commit ─┬─▶ own disk ──────────┬─▶ both, or own alone after 150 ms: kept
 *             └─▶ the other's disk ──┘
 *     own disk fails: held in memory (1,000); kept if the other has it, else refused and delivered from memory
 *
 * A host without others pays nothing: its commits go straight to the disk.
 */
export function siteJournal({ journal, copies, onHeld, log }: SiteJournalPorts): Journal {
  const ring = new CommitRing();
  let writingBack: Promise<unknown> | undefined;

  const hold = (
    writes: readonly JournalWrite[],
    { promise, kept, fault }: { readonly promise: boolean; readonly kept: boolean; readonly fault: unknown },
  ): boolean => {
    const held = ring.hold(writes);
    const cause = String(fault);
    if (ring.size === 1)
      log('error', 'journal.write_failed', 'Could not write the journal; held alarms in memory', { cause });
    if (!held)
      log('error', 'journal.memory_full', 'The memory for alarms was full; refused new alarms', { cause });
    if (held && promise && !kept) for (const row of deliverable(writes)) onHeld(row);
    return held;
  };

  /** Resolves to what is wrong with the disk, undefined = the ring is empty. */
  const writeBack = async (): Promise<unknown> => {
    while (ring.size > 0) {
      const commits = ring.take(WRITE_BACK);
      try {
        await journal.commit(commits.flat());
      } catch (cause) {
        ring.restore(commits);
        return cause ?? NO_CAUSE;
      }
    }
    log('warn', 'journal.write_resumed', 'Wrote the alarms held in memory to the journal');
    return undefined;
  };

  /** Undefined: stored. Held writes come first: a change must never overtake the row that it changes. */
  const stored = async (writes: readonly JournalWrite[]): Promise<unknown> => {
    while (ring.size > 0 || writingBack !== undefined) {
      writingBack ??= writeBack().finally(() => {
        writingBack = undefined;
      });
      const fault = await writingBack;
      if (fault !== undefined) return fault;
    }
    return await journal.commit(writes).then(
      () => undefined,
      (cause: unknown) => cause ?? NO_CAUSE,
    );
  };

  const commit: Journal['commit'] = async (writes) => {
    const holder = copies.holder();
    await kept(writes);
    // Under way as another holder came: neither copied to it nor seen on the disk by it.
    if (copies.holder() !== holder && copies.available()) copies.note(copiesOf(writes));
  };

  const kept: Journal['commit'] = async (writes) => {
    const promise = isPromise(writes);
    if (!copies.available()) {
      const fault = await stored(writes);
      if (fault === undefined) return;
      const held = hold(writes, { promise, kept: false, fault });
      if (promise || !held) throw fault;
      return;
    }
    const copied = copiesOf(writes);
    if (!promise) {
      if (copied.length > 0) copies.note(copied);
      const fault = await stored(writes);
      if (fault !== undefined && !hold(writes, { promise: false, kept: false, fault })) throw fault;
      return;
    }
    const [fault, there] = await Promise.all([stored(writes), copies.copy(copied)]);
    if (fault === undefined) return;
    const held = hold(writes, { promise: true, kept: there, fault });
    if (!there || !held) throw fault;
  };

  return {
    ...journal,
    commit,
    acknowledge: async (lane, seq, atMs) => {
      await journal.acknowledge(lane, seq, atMs);
      if (copies.available()) copies.note(copiesOf([{ kind: 'acknowledge', lane, seq, atMs }]));
    },
  };
}

/** A host that is alone in its site. */
export const noCopies: Copies = {
  available: () => false,
  copy: async () => false,
  holder: () => 0,
  note: () => undefined,
};
