import { setTimeout as pause } from 'node:timers/promises';
import { TRACKING } from '#shared/time-source/index.ts';
import { exitCode, Stop } from '../../../exit-code.ts';
import { textOf } from '../../../io/host/appliance-unit.ts';
import { run } from '../../../io/host/host-program.ts';
import { timeFacts } from '../../../io/network/time-info.ts';
import {
  chronyText,
  directives,
  isOurTime,
  layout,
  type TimeChange,
  type TimePlace,
  type TimeStep,
  timePlace,
} from '../../../plan/index.ts';
import type { Finding } from '../../../preflight/index.ts';
import type { Acts } from '../terminal/conduct.ts';
import type { Person } from '../terminal/person.ts';
import type { ApplianceSettings } from '../terminal/settings.ts';

const UP_WITHIN_MS = 15_000;
const LOOK_MS = 100;

/** Where this host is to have its time from. */
export async function wantedTime(settings: ApplianceSettings): Promise<TimeStep> {
  const { time: keeper = 'auto', timeServers: servers, timeHosts: hosts, vip, vipHosts = [] } = settings;
  const sharing = vip === undefined || vip === 'off' ? [] : vipHosts.map(({ address }) => address);
  return timePlace({ keeper, servers, hosts, sharing }, await timeFacts());
}

/** As a point of the preflight; none, where the machine keeps its time as it did. */
export function timeFinding(step: TimeStep): readonly Finding[] {
  if (step.kind === 'none') return [];
  if (step.kind === 'place')
    return [{ id: 'time', verdict: 'ok', found: sourcesOf(step.place), text: 'time', words: {} }];
  const { why, words } = step;
  const found = Object.values(words).join(', ') || 'chrony';
  return [{ id: 'time', verdict: 'failure', found, text: why, words }];
}

const sourcesOf = ({ servers, gateways, peers }: TimePlace): string =>
  [...servers, ...gateways, ...peers].join(', ');

/** The change in a plan: a drop-in that is not wanted any more is taken away when it was ours. */
export function timeChange(step: TimeStep): TimeChange {
  if (step.kind === 'place') return step;
  return step.kind === 'none' && isOurTime(textOf(layout.chrony) ?? '') ? { kind: 'remove' } : undefined;
}

/** The acts for it that a plan calls by name. */
export const timeActs = (change: TimeChange, person: Person): Acts =>
  change?.kind === 'place'
    ? { 'time-test': () => readByChrony(change.place, person), 'time-up': () => up(change.place, person) }
    : {};

/**
 * chronyd itself says whether it can read the lines, which it takes as arguments: where AppArmor watches over it, it may read no file but
 * those of its own folders.
 */
async function readByChrony(place: TimePlace, person: Person): Promise<void> {
  const { code, out, err } = await run(['chronyd', '-p', ...directives(chronyText(place))]);
  if (code === 0) return;
  const reason = `${out}${err}`.trim().split('\n').at(-1) ?? '';
  throw new Stop(exitCode.wrongConfiguration, person.text('time.refused', { reason }));
}

/** Until chronyd answers; a server may take longer, and a site without a line has none. */
async function up(place: TimePlace, person: Person): Promise<void> {
  for (const until = Date.now() + UP_WITHIN_MS; Date.now() < until; await pause(LOOK_MS)) {
    if ((await run(TRACKING, { withinMs: UP_WITHIN_MS })).code !== 0) continue;
    const sources = sourcesOf(place);
    person.record({ time: sources });
    return person.line(person.text('time.up', { sources }));
  }
  throw new Stop(exitCode.unexpected, person.text('time.silent', { seconds: UP_WITHIN_MS / 1_000 }));
}
