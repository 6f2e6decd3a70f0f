import type { CopyWrite } from '#shared/contract/peer/index.ts';
import { type JournalWrite, statesIn } from '../../delivery/outbox/index.ts';

/** Lanes whose loss a person would notice. */
const copied = (lane: string): boolean => lane === 'alarm' || lane === 'svc';

/** The writes of a commit that the holder of our rows must know; traces, bindings and heartbeats are this host's own. */
export function copiesOf(writes: readonly JournalWrite[]): readonly CopyWrite[] {
  return writes.flatMap((write): CopyWrite[] => {
    switch (write.kind) {
      case 'session':
      case 'event':
        return [{ kind: write.kind, row: { ...write.row } }];
      case 'outbox':
        return copied(write.row.lane) ? [{ kind: 'outbox', row: { ...write.row } }] : [];
      case 'outboxChange': {
        const { state } = write.change;
        return state === 'done' || state === 'dead' ? [{ kind: 'done', id: write.id }] : [];
      }
      case 'acknowledge':
        return copied(write.lane) ? [{ kind: 'acked', lane: write.lane, seq: write.seq }] : [];
      default:
        return [];
    }
  });
}

/** An answer promises that these rows are kept: they are copied before that. A session begins with such a row. */
export const isPromise = (writes: readonly JournalWrite[]): boolean =>
  writes.some(
    (write) =>
      write.kind === 'event' ||
      (write.kind === 'session' && statesIn(write.row) === 1) ||
      (write.kind === 'outbox' && copied(write.row.lane)),
  );
