import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync, visitorKeys } from 'oxc-parser';
import { LOG_ADVICE } from './log-advice.ts';

/** One event of the log, as one place of the sources writes it. */
export interface LoggedEvent {
  readonly path: string;
  readonly line: number;
  readonly event: string;
  readonly level: string;
  readonly message: string;
}

export interface LogFault {
  readonly path: string;
  readonly line: number;
  readonly fault: string;
}

interface Found {
  readonly events: readonly LoggedEvent[];
  readonly faults: readonly LogFault[];
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly [key: string]: unknown;
}

const LEVELS = ['error', 'warn', 'info', 'debug'];
const WORDS = '[a-z][a-z0-9]*(?:_[a-z0-9]+)*';
const EVENT = new RegExp(`^${WORDS}\\.${WORDS}$`);
const MESSAGE = /^[A-Z].*[^.]$/;
/** It only hands lines on. */
const FORWARDING = 'appliance/io/system/recent-log.ts';

/** Every log call of a source, and every table of lines: objects with `level`, `event` and `message`. */
export function logEventsIn(path: string, text: string): Found {
  const events: LoggedEvent[] = [];
  const faults: LogFault[] = [];
  const forwards: number[] = [];
  const lineAt = (position: number): number => text.slice(0, position).split('\n').length;

  const add = (at: number, [levels, names, messages]: readonly string[][]): void => {
    const line = lineAt(at);
    const forms = Math.max(levels?.length ?? 0, names?.length ?? 0, messages?.length ?? 0);
    for (let form = 0; form < forms; form++) {
      const [level = '', event = '', message = ''] = [levels, names, messages].map((all) =>
        choice(all, form),
      );
      if (!EVENT.test(event)) faults.push({ path, line, fault: `${event || 'a log call'} is no event` });
      else if (!MESSAGE.test(message))
        faults.push({
          path,
          line,
          fault: `${event} has no message that is a fixed sentence without a full stop`,
        });
      else events.push({ path, line, event, level, message });
    }
  };

  walk(parseSync(path, text).program as unknown as Node, (node) => {
    if (node.type === 'ObjectExpression') {
      const row = rowOf(node);
      if (row !== undefined) add(node.start, row);
    }
    if (node.type !== 'CallExpression' || calleeOf(node) !== 'log') return;
    const [level, event, message] = node.arguments as readonly Node[];
    const levels = textsOf(level);
    if (levels.length > 0 && levels.every((each) => LEVELS.includes(each)))
      add(node.start, [levels, textsOf(event), textsOf(message)]);
    else if (event !== undefined && level?.type === 'Identifier') forwards.push(node.start);
  });
  if (events.length === 0 && path !== FORWARDING)
    for (const at of forwards)
      faults.push({ path, line: lineAt(at), fault: 'a log call takes its event from elsewhere' });
  return { events, faults };
}

const choice = (texts: readonly string[] | undefined, form: number): string | undefined =>
  texts?.length === 1 ? texts[0] : texts?.[form];

/** The text of a literal, or both texts of a choice between two. */
function textsOf(node: Node | undefined): string[] {
  if (node?.type === 'Literal' && typeof node.value === 'string') return [node.value];
  if (node?.type !== 'ConditionalExpression') return [];
  return [...textsOf(node.consequent as Node), ...textsOf(node.alternate as Node)];
}

/** Level, event and message of an object that has all three as literals. */
function rowOf(node: Node): string[][] | undefined {
  const texts = new Map(
    (node.properties as readonly Node[]).map((each) => [
      String((each.key as Node | undefined)?.name),
      textsOf(each.value as Node | undefined),
    ]),
  );
  const row = ['level', 'event', 'message'].map((name) => texts.get(name) ?? []);
  return row.every(({ length }) => length > 0) && LEVELS.includes(row[0]?.[0] ?? '') ? row : undefined;
}

/** The last name of what is called: `log` of `this.#ports.log`. */
function calleeOf(node: Node): unknown {
  const callee = node.callee as Node;
  return callee.type === 'MemberExpression' ? (callee.property as Node).name : callee.name;
}

function walk(node: Node, visit: (node: Node) => void): void {
  visit(node);
  for (const key of visitorKeys[node.type] ?? [])
    for (const child of [node[key]].flat()) if (isNode(child)) walk(child, visit);
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';

/** Every event of the programs, and what is wrong with the log calls that write them. */
export function logEventsOf(root: string): Found {
  const found = globSync('{appliance,cloud,installer,shared}/**/*.{ts,tsx,mjs}', {
    cwd: root,
    exclude: (name) => /(?:^|[\\/])(?:node_modules|dist)$/.test(name),
  })
    .map((path) => path.replaceAll('\\', '/'))
    .sort()
    .map((path) => logEventsIn(path, readFileSync(join(root, path), 'utf8')));
  const events = found.flatMap((each) => each.events);
  return {
    events,
    faults: [...found.flatMap(({ faults }) => faults), ...ambiguous(events), ...unadvised(events)],
  };
}

/** Events that two places explain in different words. */
export function ambiguous(events: readonly LoggedEvent[]): LogFault[] {
  const first = new Map<string, LoggedEvent>();
  return events.flatMap((each) => {
    const known = first.get(each.event);
    if (known === undefined) first.set(each.event, each);
    if (known === undefined || known.message === each.message) return [];
    const { path, line, event } = each;
    return [{ path, line, fault: `${event} has another message in ${known.path}` }];
  });
}

const needsAdvice = ({ level }: Pick<LoggedEvent, 'level'>): boolean => level === 'warn' || level === 'error';

/** Warnings and errors without advice, and advice for no such event. */
export function unadvised(
  events: readonly LoggedEvent[],
  advice: Readonly<Record<string, string>> = LOG_ADVICE,
): LogFault[] {
  const path = 'installer/build/log-advice.ts';
  const wanted = new Set(events.filter(needsAdvice).map(({ event }) => event));
  return [
    ...[...wanted]
      .filter((event) => advice[event] === undefined)
      .map((event) => ({ path, line: 1, fault: `has no advice for ${event}` })),
    ...Object.keys(advice)
      .filter((event) => !wanted.has(event))
      .map((event) => ({ path, line: 1, fault: `advises on ${event}, which is no warning and no error` })),
  ];
}

/** The line of `docs/logging.md` behind which the list begins. */
const MARK = '<!-- `npm run docs:log` writes the list below from the sources. -->';
const PROGRAMS = { appliance: 'Appliance', cloud: 'Control plane', installer: 'Installer', shared: 'Both' };

/** `docs/logging.md` with its list of events renewed; the text before the list is kept. */
export function logDocument(text: string, events: readonly LoggedEvent[]): string {
  const head = text.split(MARK)[0] ?? '';
  const parts = Object.entries(PROGRAMS).flatMap(([folder, title]) => {
    const own = events.filter(({ path }) => path.startsWith(`${folder}/`));
    return own.length === 0 ? [] : [`### ${title}\n\n${HEADING}\n${tableOf(own).join('\n')}\n`];
  });
  return `${head}${MARK}\n\n${parts.join('\n')}`;
}

const HEADING = '| Event | Level | Message | What to do |\n|---|---|---|---|';

function tableOf(events: readonly LoggedEvent[]): string[] {
  const byName = new Map<string, LoggedEvent[]>();
  for (const each of events) byName.set(each.event, [...(byName.get(each.event) ?? []), each]);
  return [...byName.keys()].sort().map((event) => {
    const all = byName.get(event) ?? [];
    const levels = LEVELS.filter((level) => all.some((each) => each.level === level)).join(', ');
    return `| \`${event}\` | ${levels} | ${all[0]?.message} | ${LOG_ADVICE[event] ?? ''} |`;
  });
}
