import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type HostNote, hostNoteSchema } from '#shared/contract/feed/index.ts';
import { layout } from '../../plan/index.ts';
import { writeDurably } from './durable-file.ts';

/** Who is at work on what the note is about, as the kernel names it. */
interface Owner {
  readonly pid: number;
  /** `/proc/sys/kernel/random/boot_id`: another start of the machine, another owner. */
  readonly boot: string;
}

/** On the disk when it returns: a note of each kind, in the words that it has if nobody comes to tell what really became of it. */
export const oweNote = (note: HostNote, folder: string = layout.owed): void =>
  writeDurably(join(folder, `${note.kind}.json`), `${JSON.stringify({ note, ...owner() })}\n`);

/** It was told, or there is nobody to tell. */
export const paidNote = (kind: HostNote['kind'], folder: string = layout.owed): void =>
  rmSync(join(folder, `${kind}.json`), { force: true });

/** Notes whose owner is gone. One that cannot be read is nobody's, and goes. */
export function owedNotes(folder: string = layout.owed): readonly HostNote[] {
  if (!existsSync(folder)) return [];
  const now = owner();
  return readdirSync(folder).flatMap((name) => {
    const place = join(folder, name);
    const { note, pid, boot } = jsonIn(place);
    const read = hostNoteSchema.safeParse(note);
    if (!read.success) rmSync(place, { recursive: true, force: true });
    const atWork = boot === now.boot && pid !== now.pid && existsSync(`/proc/${pid}`);
    return read.success && !atWork ? [read.data] : [];
  });
}

function owner(): Owner {
  return { pid: process.pid, boot: readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim() };
}

function jsonIn(place: string): Partial<Owner> & { readonly note?: unknown } {
  try {
    return JSON.parse(readFileSync(place, 'utf8'));
  } catch {
    return {};
  }
}
