import { setTimeout as pause } from 'node:timers/promises';
import type { HostNote } from '#shared/contract/feed/index.ts';
import { exitCode } from '../../../exit-code.ts';
import { owedNotes, paidNote } from '../../../io/file/owed-note.ts';
import { installedFact } from '../../../io/host/host-info.ts';
import { dropWantedRelease } from '../../../io/network/wanted-release.ts';
import { layout } from '../../../plan/index.ts';
import type { Programs } from '../../../program.ts';
import type { Person } from '../terminal/person.ts';
import { configured, judged } from '../terminal/settings.ts';

/** The network has just been changed, or the machine started: it may take its time. */
const TELL_TRIES = 24;
const TELL_AGAIN_MS = 5_000;

/** Tells the control plane, for two minutes; the journal of this machine has it in any case. */
export async function tellPatiently(
  note: HostNote,
  folder: string,
  programs: Programs,
  person: Person,
): Promise<void> {
  for (let tries = 0; tries < TELL_TRIES; tries++, await pause(TELL_AGAIN_MS))
    if ((await programs.tellCloud(folder, note)).ok) return;
  person.line(person.text('maintenance.not-told', { reason: folder }));
}

/**
 * Reports the notes that a cut command or a start of the machine left. The running release shows the result of an upgrade:
 * another release than before has come into service, the same one was taken back or never left.
 */
export async function tellOwed(programs: Programs, person: Person): Promise<void> {
  const folder = judged(configured()).data ?? layout.state;
  for (const owed of owedNotes()) {
    const note = owed.kind === 'upgrade' ? await outcomeOf(owed, person) : owed;
    person.record(note);
    await tellPatiently(note, folder, programs, person);
    paidNote(note.kind);
    // The command that had taken the release has ended, and its copies have no use.
    if (note.kind === 'upgrade') dropWantedRelease();
  }
}

async function outcomeOf(owed: Extract<HostNote, { kind: 'upgrade' }>, person: Person): Promise<HostNote> {
  const release = (await installedFact())?.version ?? '?';
  const code = release === owed.release ? exitCode.rolledBack : exitCode.done;
  return { ...owed, code, release, sentence: person.text('upgrade.cut', { release }) };
}
