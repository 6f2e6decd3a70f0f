import { fail, ok, type Result } from '../result.ts';
import { type DottedPath, parseDottedPath, valueAt } from './dotted-path.ts';

/** A JSON value whose texts may hold `{{path}}`; called with the event it gives the value filled in. */
export type Template = (event: unknown) => unknown;

/** Bound the size of what one template can become, and the depth of what it walks. */
const MAX_INSERTS = 200;
const MAX_DEPTH = 32;

const INSERT = /\{\{\s*([^{}\s]*)\s*\}\}/;

interface Budget {
  inserts: number;
}

/**
 * Compiles a template. Alone in its text, `{{path}}` keeps the type of the value (null when absent); beside
 * other text it becomes text (nothing when absent, JSON when an object). Fails with the JSON pointer of the
 * text that cannot be read.
 */
export function compileTemplate(json: unknown): Result<Template> {
  return compile(json, '', 0, { inserts: 0 });
}

function compile(json: unknown, pointer: string, depth: number, budget: Budget): Result<Template> {
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
  if (Array.isArray(json)) return ok((event) => parts.map(([, part]) => part(event)));
  return ok((event) => Object.fromEntries(parts.map(([name, part]) => [name, part(event)])));
}

function compileText(text: string, pointer: string, budget: Budget): Result<Template> {
  // Splitting by a pattern with one group gives text, path, text, path, … text.
  const pieces = text.split(INSERT);
  const literals = pieces.filter((_, index) => index % 2 === 0);
  if (literals.some((literal) => literal.includes('{{'))) {
    return fail('templateInvalid', `"{{" without its path and "}}" in "${text.slice(0, 80)}"`, pointer);
  }
  const paths: DottedPath[] = [];
  for (const piece of pieces.filter((_, index) => index % 2 === 1)) {
    const path = parseDottedPath(piece);
    if (!path.ok) return fail('templateInvalid', path.error.reason, pointer);
    paths.push(path.value);
  }
  budget.inserts += paths.length;
  if (budget.inserts > MAX_INSERTS) {
    return fail('templateInvalid', `more than ${MAX_INSERTS} values are inserted`, pointer);
  }
  const only = paths[0];
  if (only === undefined) return ok(() => text);
  if (paths.length === 1 && literals.every((literal) => literal === '')) {
    return ok((event) => valueAt(event, only) ?? null);
  }
  return ok((event) => literals.map((literal, index) => literal + textOf(event, paths[index])).join(''));
}

function textOf(event: unknown, path: DottedPath | undefined): string {
  const value = path && valueAt(event, path);
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
