import { type Failure, fail, ok, type Result } from '../result.ts';
import { type Condition, compileCondition } from './condition.ts';
import { type DottedPath, parseDottedPath, valueAt, withValueAt } from './dotted-path.ts';
import type { EventMap, EventRule, RuleCondition } from './event-rule.ts';
import { Filling, MapBudget, OVERRUN_REASON } from './map-budget.ts';
import { compileTemplate, type Template } from './template.ts';

/** A map ready to run; made once per configuration, used for every event. */
export interface CompiledEventMap {
  readonly rules: readonly CompiledRule[];
}

interface CompiledRule {
  readonly when: readonly Entry<DottedPath, Condition>[];
  readonly set: readonly Entry<DottedPath, Template>[];
  readonly path: string | undefined;
  readonly body: Template | undefined;
  readonly headers: readonly Entry<string, Template>[];
  readonly drop: boolean;
}

interface Entry<Key, Value> {
  readonly key: Key;
  readonly value: Value;
}

/** The result of the map for one event. */
export interface MappedEvent {
  /** Index of the rule that matched; null: none, the default shape is sent. */
  readonly rule: number | null;
  /** Appended to callbackBaseUrl; undefined: the path of the default callback. */
  readonly path: string | undefined;
  /** null when the event is dropped. */
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;
  /** Nothing is sent; acts as the answer `drop`. */
  readonly drop: boolean;
  /** Why the rule `at` was not carried out although it matched: what it inserts is too large. The default shape is sent. */
  readonly overrun?: { readonly at: number; readonly reason: string };
}

/** `path` is the JSON pointer inside the map. */
export interface EventMapFailure extends Failure<'eventMapInvalid'> {
  readonly path: string;
  /** The position of the fault in a pattern. */
  readonly position?: number;
}

/** Entries of each part of a rule: every one of `set` makes a copy of the event. */
const MOST_ENTRIES = 200;

/** Path of a request: no query, no fragment, no step upwards. */
const REQUEST_PATH = /^(\/[A-Za-z0-9\-._~!$&'()*+,;=:@%]*)+$/;
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** Headers that make a request what it is; a map does not touch them. */
const RESERVED_HEADERS = new Set([
  'authorization',
  'connection',
  'content-length',
  'content-type',
  'host',
  'idempotency-key',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Checks and compiles customEventMap or mappingRules; whatever could fail for an event fails here. */
export function compileEventMap(map: EventMap): Result<CompiledEventMap, EventMapFailure> {
  const rules: CompiledRule[] = [];
  const budget = new MapBudget();
  for (const [index, rule] of map.rules.entries()) {
    const compiled = compileRule(rule, `/rules/${index}`, budget);
    if (!compiled.ok) return compiled;
    rules.push(compiled.value);
  }
  return ok({ rules });
}

/**
 * Runs the map over an event in its default shape. The first rule whose conditions all hold decides; its
 * `set` changes the event before body and headers are filled in. Without a match, or without a `body`, the
 * event itself is sent. The event given is not changed.
 */
export function applyEventMap(map: CompiledEventMap, event: unknown): MappedEvent {
  const index = map.rules.findIndex((rule) =>
    rule.when.every(({ key, value: holds }) => holds(valueAt(event, key))),
  );
  const rule = map.rules[index];
  const unchanged = { rule: null, path: undefined, body: event, headers: {}, drop: false };
  if (rule === undefined) return unchanged;
  if (rule.drop) return { rule: index, path: rule.path, body: null, headers: {}, drop: true };
  const filling = new Filling();
  let changed = event;
  for (const { key, value } of rule.set) changed = withValueAt(changed, key, value(event, filling));
  const headers = rule.headers.map(({ key, value }) => [key, headerText(value(changed, filling))]);
  const body = rule.body ? rule.body(changed, filling) : changed;
  // An alarm is not lost by a map that goes too far: it is sent as if there were none.
  if (filling.isOverrun) return { ...unchanged, overrun: { at: index, reason: OVERRUN_REASON } };
  return {
    rule: index,
    path: rule.path,
    body,
    headers: Object.fromEntries(headers),
    drop: false,
  };
}

function compileRule(
  rule: EventRule,
  pointer: string,
  budget: MapBudget,
): Result<CompiledRule, EventMapFailure> {
  if (rule.path !== undefined && !isRequestPath(rule.path)) {
    const reason = 'must begin with "/" and hold only signs of a URL path, no "." or ".." steps';
    return refuse(`${pointer}/path`, { reason });
  }
  const holds = (condition: RuleCondition) => compileCondition(condition, budget);
  const when = compileEntries(rule.when, `${pointer}/when`, parseDottedPath, holds);
  if (!when.ok) return when;
  const set = compileEntries(rule.set, `${pointer}/set`, parseDottedPath, compileTemplate);
  if (!set.ok) return set;
  const headers = compileEntries(rule.headers, `${pointer}/headers`, headerName, compileTemplate);
  if (!headers.ok) return headers;
  const body = rule.body === undefined ? ok(undefined) : compileTemplate(rule.body);
  if (!body.ok) return refuse(`${pointer}/body`, body.error);
  return ok({
    when: when.value,
    set: set.value,
    headers: headers.value,
    path: rule.path,
    body: body.value,
    drop: rule.drop ?? false,
  });
}

/** Compiles names and values of one part of a rule; the first that cannot be gives the failure. */
function compileEntries<V, Key, Value>(
  part: Readonly<Record<string, V>> | undefined,
  pointer: string,
  compileKey: (name: string) => Result<Key>,
  compileValue: (value: V) => Result<Value, Failure & { readonly position?: number }>,
): Result<readonly Entry<Key, Value>[], EventMapFailure> {
  const entries: Entry<Key, Value>[] = [];
  if (Object.keys(part ?? {}).length > MOST_ENTRIES)
    return refuse(pointer, {
      reason: `has more than ${MOST_ENTRIES} entries; divide them among several rules`,
    });
  for (const [name, written] of Object.entries(part ?? {})) {
    const here = `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    const key = compileKey(name);
    if (!key.ok) return refuse(here, key.error);
    const value = compileValue(written);
    if (!value.ok) return refuse(here, value.error);
    entries.push({ key: key.value, value: value.value });
  }
  return ok(entries);
}

function headerName(name: string): Result<string> {
  if (!HEADER_NAME.test(name)) return fail('headerInvalid', 'is not a header name');
  if (RESERVED_HEADERS.has(name.toLowerCase())) return fail('headerInvalid', 'is set by the service');
  return ok(name);
}

function isRequestPath(path: string): boolean {
  return REQUEST_PATH.test(path) && !path.split('/').some((step) => /^(\.|%2e){1,2}$/i.test(step));
}

/** Header values are one line of visible Latin-1 (RFC 9110 5.5); anything else inserted becomes `?`. */
function headerText(value: unknown): string {
  const text = typeof value === 'string' ? value : value === null ? '' : JSON.stringify(value);
  return text.replace(/[^\t\x20-\x7e\xa0-\xff]/g, '?');
}

/** `cause.path` is a pointer below `pointer`, where the cause has one. */
function refuse(
  pointer: string,
  cause: { readonly reason: string; readonly path?: string; readonly position?: number },
): { ok: false; error: EventMapFailure } {
  const { reason, path = '', position } = cause;
  const error = { code: 'eventMapInvalid', reason, path: pointer + path } as const;
  return { ok: false, error: position === undefined ? error : { ...error, position } };
}
