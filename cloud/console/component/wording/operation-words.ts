import type { MessageDescriptor } from '@lingui/core';
import { i18n } from '@lingui/core';
import { msg, plural, t } from '@lingui/core/macro';
import type { Operations } from '#shared/client/index.ts';

type Detail = Operations['getSiteByDomainBySiteIdHostByHostId']['answer']['host'];

export type Operation = NonNullable<Detail['operation']>;

/** One step as a person reads it. */
interface StepWords {
  readonly title: string;
  readonly state: string;
  /** The rest of it, or its result. */
  readonly facts: readonly string[];
}

const TITLES: Readonly<Record<string, MessageDescriptor>> = {
  cordon: msg`Turn new ordinary calls away`,
  services: msg`Move its services`,
  calls: msg`Let calls end`,
  flush: msg`Deliver the waiting events`,
  checks: msg`Run the self-test`,
  configuration: msg`Fetch its configuration`,
  serve: msg`Serve again`,
  wipe: msg`Wipe keys and configuration`,
};

type Facts = Readonly<Record<string, unknown>>;
const rows = (value: unknown): readonly Facts[] => (Array.isArray(value) ? (value as Facts[]) : []);
const number = (value: unknown): number => Number(value ?? 0);
const titleOf = (step: string): string => {
  const title = TITLES[step];
  return title === undefined ? step : i18n._(title);
};

/** Where a service goes; a state of a newer host is shown as it is. */
function serviceFact({ name, state, to }: Facts): string {
  const [service, host] = [String(name), String(to)];
  if (to === undefined) return `${service}: ${String(state)}`;
  switch (state) {
    case 'moved':
      return t`${service} has moved to ${host}`;
    case 'moving':
      return t`${service} is moving to ${host}`;
    case 'ready':
      return t`${service} is ready at ${host}`;
    default:
      return `${service}: ${String(state)}`;
  }
}

/** The steps of an operation in words; what a newer host adds is shown as it is. */
export const stepWords = ({ steps }: Pick<Operation, 'steps'>): StepWords[] =>
  steps.map(({ step, state, ...facts }) => ({
    title: titleOf(String(step)),
    state: String(state),
    facts: factsOf(facts),
  }));

function factsOf({ services, vip, calls, lanes, checks, blocked, wiped, left, ...others }: Facts): string[] {
  const said = rows(services).map(serviceFact);
  const address = String(vip);
  if (vip !== undefined) said.push(t`The address of the site is at ${address}`);
  const { ordinary, alarm } = (calls ?? {}) as Facts;
  const ofAlarms = plural(number(alarm), { one: '# call', other: '# calls' });
  if (calls !== undefined)
    said.push(
      plural(number(ordinary), {
        one: `# call and ${ofAlarms} of alarms left`,
        other: `# calls and ${ofAlarms} of alarms left`,
      }),
    );
  if (lanes !== undefined) {
    const { alarm: alarms, svc } = lanes as Facts;
    const reports = plural(number(svc), { one: '# report', other: '# reports' });
    said.push(
      plural(number(alarms), {
        one: `# alarm and ${reports} left`,
        other: `# alarms and ${reports} left`,
      }),
    );
  }
  for (const { name, ok, message } of rows(checks)) {
    const failed = t`failed; the log of the host says why`;
    said.push(`${String(name)}: ${ok === true ? t`well` : String(message || failed)}`);
  }
  const removed = Array.isArray(wiped) ? wiped.join(', ') || t`nothing` : '';
  if (Array.isArray(wiped)) said.push(t`removed: ${removed}`);
  const kept = Array.isArray(left) ? left.join('; ') : '';
  if (kept !== '') said.push(t`not removed: ${kept}`);
  if (blocked !== undefined) {
    const { code, message } = blocked as Facts;
    const why = String(message || code);
    said.push(t`It stands still: ${why}`);
  }
  for (const [name, value] of Object.entries(others))
    said.push(`${name}: ${typeof value === 'object' ? JSON.stringify(value) : String(value)}`);
  return said;
}

/** The effects of a drain, before it is done: one sentence for each thing that moves, ends or stays. */
export function drainEffect(
  host: Pick<Detail, 'hostId' | 'services' | 'calls' | 'roles'>,
  others: readonly string[],
  how: { readonly stays: boolean; readonly force: boolean; readonly minutes: number },
): string[] {
  const { hostId } = host;
  const { minutes } = how;
  const effect: string[] = [];
  if (others.length === 0)
    effect.push(
      t`${hostId} is the only host of its site that takes alarms: while it is drained, the site takes none.`,
    );
  const where = others.join(` ${t`or`} `);
  effect.push(servicesEffect(host, where, how.stays || others.length === 0, others.length > 1));
  effect.push(callsEffect(number(host.calls), how));
  if (host.roles.includes('vip') && others.length > 0)
    effect.push(t`The address of the site moves to ${where}.`);
  if (others.length > 0) effect.push(t`New calls and alarms go to ${where}.`);
  if (!how.force)
    effect.push(
      t`If it is not through after ${minutes} min, an alarm says why, and it goes on serving what is left.`,
    );
  return effect;
}

/** Where the services go. `isChosen`: several hosts may take them. */
function servicesEffect(
  { hostId, services }: Pick<Detail, 'hostId' | 'services'>,
  where: string,
  stays: boolean,
  isChosen: boolean,
): string {
  const names = Object.keys(services);
  const listed = names.length === 0 ? '' : ` (${names.join(', ')})`;
  if (stays)
    return plural(names.length, {
      one: `# service${listed} pauses here and stays assigned to ${hostId}.`,
      other: `# services${listed} pause here and stay assigned to ${hostId}.`,
    });
  if (isChosen)
    return plural(names.length, {
      one: `# service${listed} moves to ${where}, as labels and free memory decide.`,
      other: `# services${listed} move to ${where}, as labels and free memory decide.`,
    });
  return plural(names.length, {
    one: `# service${listed} moves to ${where}.`,
    other: `# services${listed} move to ${where}.`,
  });
}

/** The fate of the calls that run, as a sentence. */
function callsEffect(running: number, how: { readonly force: boolean; readonly minutes: number }): string {
  const { minutes } = how;
  if (running === 0) return t`No call is running.`;
  if (!how.force)
    return plural(running, {
      one: '# call running; it is finished first.',
      other: '# calls running; they are finished first.',
    });
  return plural(running, {
    one: `# call running; ordinary calls that still run after ${minutes} min are ended, calls of alarms never.`,
    other: `# calls running; ordinary calls that still run after ${minutes} min are ended, calls of alarms never.`,
  });
}
