import { readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** A file beside the database that a salvage or a restoration has left for a person. */
export interface KeptAside {
  /** Its path. */
  readonly file: string;
  /** `damaged`: it was salvaged; `removed`: it was removed or replaced under the program, and restored. */
  readonly kind: 'damaged' | 'removed';
  /** Epoch ms at which it was set aside. */
  readonly atMs: number;
}

/** `cloud.db.damaged-1764115200000`; its log has a suffix and belongs to it. */
const NAME = /^\.(damaged|removed)-(\d{1,15})$/;

/** The files that lie beside a SQLite file, oldest first. They prove that a person has not yet dealt with what happened. */
export function keptAside(file: string): readonly KeptAside[] {
  const [folder, name] = [dirname(file), basename(file)];
  return readdirSync(folder)
    .flatMap((each) => {
      const [, kind, at] = (each.startsWith(name) && NAME.exec(each.slice(name.length))) || [];
      return kind === undefined
        ? []
        : [{ file: join(folder, each), kind: kind as KeptAside['kind'], atMs: Number(at) }];
    })
    .toSorted((a, b) => a.atMs - b.atMs);
}
