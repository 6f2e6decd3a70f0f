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

const TITLES: Readonly<Record<string, string>> = {
  cordon: 'Turn new ordinary calls away',
  services: 'Move its services',
  calls: 'Let calls end',
  flush: 'Deliver the waiting events',
  checks: 'Run the self-test',
  configuration: 'Fetch its configuration',
  serve: 'Serve again',
  wipe: 'Wipe keys and configuration',
};

const ENDED: Readonly<Record<string, string>> = {
  moved: 'has moved to',
  moving: 'is moving to',
  ready: 'is ready at',
};

type Facts = Readonly<Record<string, unknown>>;
const rows = (value: unknown): readonly Facts[] => (Array.isArray(value) ? (value as Facts[]) : []);
const count = (value: unknown, one: string, many = `${one}s`): string =>
  `${Number(value ?? 0)} ${Number(value ?? 0) === 1 ? one : many}`;

/** The steps of an operation in words; what a newer host adds is shown as it is. */
export const stepWords = ({ steps }: Pick<Operation, 'steps'>): StepWords[] =>
  steps.map(({ step, state, ...facts }) => ({
    title: TITLES[String(step)] ?? String(step),
    state: String(state),
    facts: factsOf(facts),
  }));

function factsOf({ services, vip, calls, lanes, checks, blocked, wiped, left, ...others }: Facts): string[] {
  const said: string[] = [];
  for (const { name, state, to } of rows(services)) {
    const moves = to === undefined ? undefined : ENDED[String(state)];
    said.push(
      moves === undefined ? `${String(name)}: ${String(state)}` : `${String(name)} ${moves} ${String(to)}`,
    );
  }
  if (vip !== undefined) said.push(`The address of the site is at ${String(vip)}`);
  const { ordinary, alarm } = (calls ?? {}) as Facts;
  if (calls !== undefined) said.push(`${count(ordinary, 'call')} and ${count(alarm, 'call')} of alarms left`);
  if (lanes !== undefined) {
    const { alarm: alarms, svc } = lanes as Facts;
    said.push(`${count(alarms, 'alarm')} and ${count(svc, 'report')} left`);
  }
  for (const { name, ok, message } of rows(checks))
    said.push(
      `${String(name)}: ${ok === true ? 'well' : String(message || 'failed; the log of the host says why')}`,
    );
  if (Array.isArray(wiped)) said.push(`removed: ${wiped.join(', ') || 'nothing'}`);
  if (Array.isArray(left) && left.length > 0) said.push(`not removed: ${left.join('; ')}`);
  if (blocked !== undefined) {
    const { code, message } = blocked as Facts;
    said.push(`It stands still: ${String(message || code)}`);
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
  const names = Object.keys(host.services);
  const services = `${count(names.length, 'service')}${names.length === 0 ? '' : ` (${names.join(', ')})`}`;
  const running = count(host.calls, 'call');
  const isOne = names.length === 1;
  const effect: string[] = [];
  if (others.length === 0)
    effect.push(
      `${host.hostId} is the only host of its site that takes alarms: while it is drained, the site takes none.`,
    );
  const where = others.join(' or ');
  const chosen = others.length > 1 ? ', as labels and free memory decide' : '';
  if (how.stays || others.length === 0)
    effect.push(
      `${services} ${isOne ? 'pauses' : 'pause'} here and ${isOne ? 'stays' : 'stay'} assigned to ${host.hostId}.`,
    );
  else effect.push(`${services} ${isOne ? 'moves' : 'move'} to ${where}${chosen}.`);
  if (Number(host.calls ?? 0) === 0) effect.push('No call is running.');
  else
    effect.push(
      how.force
        ? `${running} running; ordinary calls that still run after ${how.minutes} min are ended, calls of alarms never.`
        : `${running} running; ${Number(host.calls) === 1 ? 'it is' : 'they are'} finished first.`,
    );
  if (host.roles.includes('vip') && others.length > 0)
    effect.push(`The address of the site moves to ${where}.`);
  if (others.length > 0) effect.push(`New calls and alarms go to ${where}.`);
  if (!how.force)
    effect.push(
      `If it is not through after ${how.minutes} min, an alarm says why, and it goes on serving what is left.`,
    );
  return effect;
}
