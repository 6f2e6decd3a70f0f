import { rmSync } from 'node:fs';
import { exitCode, Stop } from '../../../exit-code.ts';
import { JournalFile } from '../../../io/file/journal-file.ts';
import { serviceState } from '../../../io/host/appliance-unit.ts';
import { look, make, takeBack } from '../../../io/host/host-action.ts';
import { lockHost } from '../../../io/host/host-lock.ts';
import { canAsk, question } from '../../../io/terminal/question.ts';
import { dim, green, red } from '../../../io/terminal/terminal.ts';
import {
  actionText,
  layout,
  type Plan,
  type PlanEvent,
  PlanFailure,
  type PlanName,
  type PlanPorts,
  planLines,
  resumption,
  runPlan,
  takeAllBack,
  type Undo,
} from '../../../plan/index.ts';
import type { Person, PlanFlags } from './person.ts';

/** The acts that a plan calls by name. `before`: the invocation of the service that ran before the plan restarted it. */
export type Acts = Readonly<Record<string, (before: string) => Promise<void>>>;

const journal = new JournalFile(layout.journal);
/** The time another command may take before this one gives up; a start of the service is among it. */
const TURN_WITHIN_MS = 30_000;

/** Another command changes this host and does not end; nothing was begun. */
export class Busy extends Stop {}

/**
 * Prints the plan, asks, runs it under the lock of the host, and says what changed. The unfinished work of an earlier command
 * comes first.
 */
export async function conduct(
  plan: Plan,
  acts: Acts,
  person: Person,
  flags: PlanFlags,
  turnWithinMs = TURN_WITHIN_MS,
): Promise<number> {
  printPlan(plan, person);
  if (flags.dryRun === true) {
    person.line(person.text('plan.dry'));
    return 0;
  }
  await agreed(person, flags);
  return underLock(plan.name, turnWithinMs, person, async () => {
    // A cut upgrade leaves it; in another command's way to its plan it is of no use.
    if (plan.name !== 'upgrade') rmSync(layout.unpacked, { force: true });
    const earlier = await resumed(person);
    let before = '';
    const ports: PlanPorts = {
      ...hostPorts(person),
      make: async (action) => {
        if (action.kind === 'command' && action.argv.includes('restart')) {
          before = (await serviceState()).invocation;
        }
        if (action.kind !== 'act') return make(action);
        const act = acts[action.name];
        if (act === undefined) throw new Error(`the program has no action ${action.name}`);
        await act(before);
      },
    };
    const changed = await runPlan(plan, ports, earlier).catch((cause: unknown) => {
      throw cause instanceof PlanFailure ? stopOf(cause, plan, person) : cause;
    });
    person.record({ plan: plan.name, changed });
    person.line(person.text('plan.done', { changed }));
    return changed;
  });
}

/** Takes back an interrupted upgrade, configuration or network change and says so; true when there was one. */
export function takeBackUnfinished(person: Person, turnWithinMs = TURN_WITHIN_MS): Promise<boolean> {
  return underLock('undo', turnWithinMs, person, async () => {
    rmSync(layout.unpacked, { force: true });
    const found = journal.read();
    if (found?.kind !== 'cut' || found.whenFailed !== 'undo') return false;
    await resumed(person);
    return true;
  });
}

/** The plan that a command had begun and not ended, if it is one that is taken back. */
export function unfinishedPlan(): PlanName | undefined {
  const found = journal.read();
  return found?.kind === 'cut' && found.whenFailed === 'undo' ? found.plan : undefined;
}

async function underLock<Value>(
  name: string,
  turnWithinMs: number,
  person: Person,
  work: () => Promise<Value>,
): Promise<Value> {
  if (process.getuid?.() !== 0) {
    const found = `uid ${process.getuid?.()}`;
    throw new Stop(exitCode.notPermitted, sentence(person, 'check.root.what', 'check.root.do', { found }));
  }
  const lock = await lockHost(name, turnWithinMs);
  if (lock.kind === 'busy') throw new Busy(exitCode.tryAgain, person.text('plan.busy', { by: lock.by }));
  try {
    return await work();
  } finally {
    lock.release();
  }
}

/** The changes of an interrupted plan of the same manner; one that is taken back leaves nothing. */
async function resumed(person: Person): Promise<readonly Undo[]> {
  const found = journal.read();
  if (found === undefined) {
    throw new Stop(exitCode.damagedFile, person.text('plan.journal-damaged', { path: layout.journal }));
  }
  if (found.kind !== 'cut') return [];
  const words = { name: found.plan, step: person.stepText(found.step ?? '') };
  if (resumption(found) === 'continue') {
    person.line(person.text('plan.continued', words));
    return found.undo;
  }
  await takeAllBack(found.undo, found.afterUndo, hostPorts(person));
  person.line(person.text('plan.undone-first', words));
  return [];
}

const hostPorts = (person: Person): Omit<PlanPorts, 'make'> => ({
  now: () => new Date().toISOString(),
  note: async (entry) => {
    journal.note(entry);
    // From here on nothing is taken back: what was kept aside for it may hold a claim or a key, and goes.
    if ('end' in entry && entry.end !== 'failed') rmSync(layout.backup, { recursive: true, force: true });
  },
  look,
  takeBack,
  tell: (event) => tell(event, person),
});

function tell(event: PlanEvent, person: Person): void {
  person.record(event);
  if (event.state === 'done') {
    const note = event.changed === 0 ? dim(' -') : '';
    person.line(`  ${green('✓')} ${person.stepText(event.step)}${note}`);
  } else if (event.state === 'failed') person.line(`  ${red('✗')} ${person.stepText(event.step)}`);
}

function printPlan(plan: Plan, person: Person): void {
  for (const line of planLines(plan)) person.record(line);
  person.line(person.text('plan.title', { name: plan.name }));
  for (const { id, actions } of plan.steps) {
    person.line(`  ${person.stepText(id)}`);
    for (const action of actions) if (action.kind !== 'act') person.line(dim(`      ${actionText(action)}`));
  }
}

async function agreed(person: Person, flags: PlanFlags): Promise<void> {
  if (flags.yes === true) return;
  if (!canAsk()) throw new Stop(exitCode.wrongUse, person.text('plan.not-asked'));
  const yes = person.text('yes');
  const answer = await question(person.text('plan.ask'), `${yes}/${person.text('no')}`);
  if (!answer.toLowerCase().startsWith(yes) || answer.includes('/')) {
    throw new Stop(exitCode.done, person.text('plan.declined'));
  }
}

/** An upgrade that was taken back is "rolled back" whatever the reason was; what never began keeps its own code. */
function stopOf(failure: PlanFailure, plan: Plan, person: Person): Stop {
  const { cause, step, undone, message } = failure;
  const code = cause instanceof Stop ? cause.code : exitCode.unexpected;
  const text = person.text(undone ? 'plan.failed-undone' : 'plan.failed-kept', {
    step: person.stepText(step),
    reason: message,
  });
  const switched = plan.name === 'upgrade' || plan.name === 'rollback';
  const late = ['restart', 'ready', 'self-test', 'confirm'].includes(step);
  return new Stop(switched && undone && late ? exitCode.rolledBack : code, text);
}

type TextOf = Parameters<Person['text']>;

const sentence = (person: Person, what: TextOf[0], then: TextOf[0], words: TextOf[1] = {}): string =>
  `${person.text(what, words)} ${person.text(then, words)}`;
