import { type Failure, ok, type Result } from '../result.ts';
import { type Condition, compileCondition } from './condition.ts';
import { type DottedPath, parseDottedPath, valueAt, withValueAt } from './dotted-path.ts';
import type { EventMap, EventRule } from './event-rule.ts';
import { compileTemplate, type Template } from './template.ts';

/** A map ready to run; made once per configuration, used for every event. */
export interface CompiledEventMap {
  readonly rules: readonly CompiledRule[];
}

interface CompiledRule {
  readonly when: readonly { readonly path: DottedPath; readonly holds: Condition }[];
  readonly set: readonly { readonly path: DottedPath; readonly value: Template }[];
  readonly path: string | undefined;
  readonly body: Template | undefined;
  readonly headers: readonly { readonly name: string; readonly value: Template }[];
  readonly drop: boolean;
}

/** What becomes of one event. */
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
}

/** `path` is the JSON pointer inside the map. */
export interface EventMapFailure extends Failure<'eventMapInvalid'> {
  readonly path: string;
  /** Of a pattern: where it is wrong. */
  readonly position?: number;
}

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
  for (const [index, rule] of map.rules.entries()) {
    const compiled = compileRule(rule, `/rules/${index}`);
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
    rule.when.every(({ path, holds }) => holds(valueAt(event, path))),
  );
  const rule = map.rules[index];
  if (rule === undefined) return { rule: null, path: undefined, body: event, headers: {}, drop: false };
  if (rule.drop) return { rule: index, path: rule.path, body: null, headers: {}, drop: true };
  let changed = event;
  for (const { path, value } of rule.set) changed = withValueAt(changed, path, value(event));
  const headers = rule.headers.map(({ name, value }) => [name, headerText(value(changed))]);
  return {
    rule: index,
    path: rule.path,
    body: rule.body ? rule.body(changed) : changed,
    headers: Object.fromEntries(headers),
    drop: false,
  };
}

function compileRule(rule: EventRule, pointer: string): Result<CompiledRule, EventMapFailure> {
  if (rule.path !== undefined && !isRequestPath(rule.path)) {
    return refuse(
      `${pointer}/path`,
      'must begin with "/" and hold only signs of a URL path, no "." or ".." steps',
    );
  }
  const when: { path: DottedPath; holds: Condition }[] = [];
  for (const [key, condition] of Object.entries(rule.when ?? {})) {
    const path = parseDottedPath(key);
    if (!path.ok) return refuse(place(pointer, 'when', key), path.error.reason);
    const holds = compileCondition(condition);
    if (!holds.ok) return refuse(place(pointer, 'when', key), holds.error.reason, holds.error.position);
    when.push({ path: path.value, holds: holds.value });
  }
  const set: { path: DottedPath; value: Template }[] = [];
  for (const [key, json] of Object.entries(rule.set ?? {})) {
    const path = parseDottedPath(key);
    if (!path.ok) return refuse(place(pointer, 'set', key), path.error.reason);
    const value = compileTemplate(json);
    if (!value.ok) return refuse(place(pointer, 'set', key) + (value.error.path ?? ''), value.error.reason);
    set.push({ path: path.value, value: value.value });
  }
  const headers: { name: string; value: Template }[] = [];
  for (const [name, json] of Object.entries(rule.headers ?? {})) {
    const here = place(pointer, 'headers', name);
    if (!HEADER_NAME.test(name)) return refuse(here, 'is not a header name');
    if (RESERVED_HEADERS.has(name.toLowerCase())) return refuse(here, 'is set by the service');
    const value = compileTemplate(json);
    if (!value.ok) return refuse(here, value.error.reason);
    headers.push({ name, value: value.value });
  }
  const body = rule.body === undefined ? ok(undefined) : compileTemplate(rule.body);
  if (!body.ok) return refuse(`${pointer}/body${body.error.path ?? ''}`, body.error.reason);
  return ok({ when, set, headers, path: rule.path, body: body.value, drop: rule.drop ?? false });
}

function isRequestPath(path: string): boolean {
  return REQUEST_PATH.test(path) && !path.split('/').some((step) => /^(\.|%2e){1,2}$/i.test(step));
}

/** Header values are one line of visible Latin-1 (RFC 9110 5.5); anything else inserted becomes `?`. */
function headerText(value: unknown): string {
  const text = typeof value === 'string' ? value : value === null ? '' : JSON.stringify(value);
  return text.replace(/[^\t\x20-\x7e\xa0-\xff]/g, '?');
}

function place(pointer: string, part: string, key: string): string {
  return `${pointer}/${part}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

function refuse(path: string, reason: string, position?: number): { ok: false; error: EventMapFailure } {
  const error = { code: 'eventMapInvalid', reason, path } as const;
  return { ok: false, error: position === undefined ? error : { ...error, position } };
}
