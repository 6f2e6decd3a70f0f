import { setTimeout as pause } from 'node:timers/promises';
import type { Command } from 'commander';
import type { ReleaseRequest } from '#shared/contract/feed/index.ts';
import { type ExitCode, exitCode, Stop } from '../../../exit-code.ts';
import { oweNote, paidNote } from '../../../io/file/owed-note.ts';
import { installedFact } from '../../../io/host/host-info.ts';
import { dropWantedRelease, takeWantedRelease } from '../../../io/network/wanted-release.ts';
import { layout } from '../../../plan/index.ts';
import type { Programs } from '../../../program.ts';
import { tellOwed } from '../network/owed.ts';
import { followPlatformRequest, outside } from '../network/platform-network-request.ts';
import { Busy, takeBackUnfinished, unfinishedPlan } from '../terminal/conduct.ts';
import { type CommonFlags, type Person, personOf, withCommonFlags } from '../terminal/person.ts';
import { configured, judged } from '../terminal/settings.ts';
import { activeWork, resumeTrial, upgradeTo } from './upgrade.ts';

/** `Chosen:` a site that is never quiet for a day is asked again by a person. */
const MOMENT_WITHIN_MS = 24 * 3_600_000;
const LOOK_EVERY_MS = 5_000;

/**
 * `carillon maintenance`, started by systemd as root: takes back a change whose command was cut, and does what the appliance
 * asks for: a release, or the addresses that its control plane signed. Once after each start of the machine (carillon-maintenance.timer)
 * it also goes on with a trial whose timer went with the start before. A person who works at the machine comes first: while
 * another command runs, nothing is done here.
 */
export function maintenanceCommand(root: Command, programs: Programs): void {
  withCommonFlags(root.command('maintenance', { hidden: true }))
    .description('Takes back a change that was cut; takes up a release that the appliance was asked to take.')
    .action((flags: CommonFlags) => maintain(programs, personOf(flags)));
}

async function maintain(programs: Programs, person: Person): Promise<void> {
  const undone = await takenBack(person);
  if (undone) person.line(person.text('maintenance.undone'));
  if (await resumeTrial()) person.line(person.text('maintenance.trial'));
  await tellOwed(programs, person);
  // The undo may have removed the release that this program belongs to, and its keys too. For requests that are still there
  // systemd starts the program that is in service (carillon-maintenance.path).
  if (undone) return;
  const network = await followPlatformRequest(programs, person);
  if (network === 'damaged')
    person.line(person.text('maintenance.damaged', { folder: layout.networkRequests }));
  const wanted = await takeWantedRelease();
  if (wanted.kind === 'damaged')
    throw new Stop(exitCode.damagedFile, person.text('maintenance.damaged', { folder: layout.requests }));
  if (wanted.kind === 'none')
    return network === 'none' ? person.line(person.text('maintenance.nothing')) : undefined;
  const { file, request } = wanted;
  // The person who asked hears of it also when this command does not come to its end.
  oweNote(await noteOf(request, { code: exitCode.rolledBack, sentence: '' }));
  const outcome = await upgraded(file, programs, person).finally(dropWantedRelease);
  await reportOutcome(request, outcome, programs, person);
  paidNote('upgrade');
  if (outcome.code !== exitCode.done) throw new Stop(outcome.code, outcome.sentence);
}

/** False: nothing was cut, or whoever works here has not ended. */
async function takenBack(person: Person): Promise<boolean> {
  // Outside of the sandbox of this unit, which has not the files of whoever owns an interface.
  if (unfinishedPlan() === 'network') return (await outside('network', 'undo')).code === 0;
  return await takeBackUnfinished(person, 0).catch((cause: unknown) => {
    if (cause instanceof Busy) return false;
    throw cause;
  });
}

interface Outcome {
  readonly code: ExitCode;
  readonly sentence: string;
}

/** At a moment without a call; the upgrade itself looks once more before it cuts anything. */
async function upgraded(file: string, programs: Programs, person: Person): Promise<Outcome> {
  try {
    for (const until = Date.now() + MOMENT_WITHIN_MS; (await activeWork()) > 0; await pause(LOOK_EVERY_MS))
      if (Date.now() > until)
        throw new Stop(
          exitCode.tryAgain,
          person.text('upgrade.quiet', { minutes: MOMENT_WITHIN_MS / 60_000 }),
        );
    await upgradeTo(file, { yes: true, wait: '30' }, programs, person);
    return { code: exitCode.done, sentence: '' };
  } catch (cause) {
    if (cause instanceof Stop) return { code: cause.code, sentence: cause.message };
    return { code: exitCode.unexpected, sentence: String(cause) };
  }
}

async function noteOf({ file, by }: ReleaseRequest, { code, sentence }: Outcome) {
  const release = (await installedFact())?.version ?? '?';
  return { kind: 'upgrade', file, by, code, sentence: sentence.slice(0, 1_000), release } as const;
}

/**
 * The person who asked may be far away: the journal of the tenant gets the result. The journal of this machine gets it in any
 * case.
 */
async function reportOutcome(
  request: ReleaseRequest,
  outcome: Outcome,
  programs: Programs,
  person: Person,
): Promise<void> {
  const note = await noteOf(request, outcome);
  person.record(note);
  const answer = await programs.tellCloud(judged(configured()).data ?? layout.state, note);
  if (!answer.ok) person.line(person.text('maintenance.not-told', { reason: answer.error.reason }));
}
