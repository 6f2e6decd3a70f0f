import type { JournalWrite } from '#appliance/delivery/outbox/index.ts';

type Note = readonly [ref: string, atNs: bigint];

/** When each SCAIP alarm was durable; switched off it costs nothing. */
export function storedNotes(on: boolean): {
  readonly committed: (writes: readonly JournalWrite[]) => void;
  readonly take: () => readonly Note[];
} {
  const notes: Note[] = [];
  return {
    committed(writes) {
      if (!on) return;
      for (const write of writes) {
        if (write.kind !== 'event') continue;
        const ref = referenceIn(write.row.body);
        if (ref !== undefined) notes.push([ref, process.hrtime.bigint()]);
      }
    },
    take: () => notes.splice(0),
  };
}

/** The SCAIP reference among the fields of a stored event or of a callback. */
export const referenceIn = (json: string): string | undefined => /"ref":"([^"]+)"/.exec(json)?.[1];
