import { readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** A file beside the database that a salvage has left for a person. */
export interface KeptAside {
  /** Its path. */
  readonly file: string;
  /** Epoch ms at which it was set aside. */
  readonly atMs: number;
}

/** `cloud.db.damaged-1764115200000`; its log has a suffix and belongs to it. */
const NAME = /^\.damaged-(\d{1,15})$/;

/** The damaged files that lie beside a SQLite file, oldest first. They prove that a person has not yet dealt with the damage. */
export function keptAside(file: string): readonly KeptAside[] {
  const [folder, name] = [dirname(file), basename(file)];
  return readdirSync(folder)
    .flatMap((each) => {
      const at = each.startsWith(name) ? NAME.exec(each.slice(name.length))?.[1] : undefined;
      return at === undefined ? [] : [{ file: join(folder, each), atMs: Number(at) }];
    })
    .toSorted((a, b) => a.atMs - b.atMs);
}
