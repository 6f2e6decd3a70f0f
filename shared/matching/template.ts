import { fail, ok, type Result } from '../result.ts';
import { type DottedPath, parseDottedPath, valueAt } from './dotted-path.ts';
import { type Filling, InsertBudget } from './map-budget.ts';

/** A JSON value whose texts may hold `{{path}}`; called with the event it gives the value filled in. */
export type Template = (event: unknown, filling: Filling) => unknown;

/** Bounds the depth of what a template walks. */
const MAX_DEPTH = 32;

/** Blanks are taken off later: a pattern that looks for them takes the square of their number. */
const INSERT = /\{\{([^{}]*)\}\}/;

/**
 * Compiles a template. Alone in its text, `{{path}}` keeps the type of the value (null when absent); beside
 * other text it becomes text (nothing when absent, JSON when an object). Fails with the JSON pointer of the
 * text that cannot be read.
 */
export function compileTemplate(json: unknown): Result<Template> {
  return compile(json, '', 0, new InsertBudget());
}

function compile(json: unknown, pointer: string, depth: number, budget: InsertBudget): Result<Template> {
  if (depth > MAX_DEPTH) return fail('templateInvalid', `nested deeper than ${MAX_DEPTH}`, pointer);
  if (typeof json === 'string') return compileText(json, pointer, budget);
  if (typeof json !== 'object' || json === null) return ok(() => json);
  const parts: [string, Template][] = [];
  for (const [name, value] of Object.entries(json)) {
    const place = `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    const part = compile(value, place, depth + 1, budget);
    if (!part.ok) return part;
    parts.push([name, part.value]);
  }
  if (Array.isArray(json)) return ok((event, filling) => parts.map(([, part]) => part(event, filling)));
  return ok((event, filling) =>
    Object.fromEntries(parts.map(([name, part]) => [name, part(event, filling)])),
  );
}

function compileText(text: string, pointer: string, budget: InsertBudget): Result<Template> {
  // Splitting by a pattern with one group gives text, path, text, path, … text.
  const pieces = text.split(INSERT);
  const literals = pieces.filter((_, index) => index % 2 === 0);
  if (literals.some((literal) => literal.includes('{{'))) {
    return fail('templateInvalid', `"{{" without its path and "}}" in "${text.slice(0, 80)}"`, pointer);
  }
  const paths: DottedPath[] = [];
  for (const piece of pieces.filter((_, index) => index % 2 === 1)) {
    const path = parseDottedPath(piece.trim());
    if (!path.ok) return fail('templateInvalid', path.error.reason, pointer);
    paths.push(path.value);
  }
  const room = budget.take(paths.length);
  if (!room.ok) return { ok: false, error: { ...room.error, path: pointer } };
  const only = paths[0];
  if (only === undefined) return ok(() => text);
  if (paths.length === 1 && literals.every((literal) => literal === '')) {
    return ok((event, filling) => {
      const value = valueAt(event, only) ?? null;
      return filling.take(value) ? value : null;
    });
  }
  return ok((event, filling) =>
    literals.map((literal, index) => literal + textOf(event, paths[index], filling)).join(''),
  );
}

function textOf(event: unknown, path: DottedPath | undefined, filling: Filling): string {
  const value = path && valueAt(event, path);
  if (value === undefined || value === null || !filling.take(value)) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
