import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type HostNote, hostNoteSchema } from '#shared/contract/feed/index.ts';
import { layout } from '../../plan/index.ts';
import { writeDurably } from './durable-file.ts';

/** The process that works on the subject of the note, as the kernel names it. */
interface Owner {
  readonly pid: number;
  /** `/proc/sys/kernel/random/boot_id`: another start of the machine, another owner. */
  readonly boot: string;
}

/** On the disk when it returns: a note of each kind, in the words that it has if no command comes to report the real result. */
export const oweNote = (note: HostNote, folder: string = layout.owed): void =>
  writeDurably(join(folder, `${note.kind}.json`), `${JSON.stringify({ note, ...owner() })}\n`);

/** The note was reported, or there is no control plane to report to. */
export const paidNote = (kind: HostNote['kind'], folder: string = layout.owed): void =>
  rmSync(join(folder, `${kind}.json`), { force: true });

/** Notes whose owner has ended. An unreadable note has no owner, and is deleted. */
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
