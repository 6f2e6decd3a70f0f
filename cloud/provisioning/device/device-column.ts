import { z } from 'zod';
import { deviceResponseSchema } from '#shared/contract/provisioning/index.ts';
import { fail, ok, type Result } from '#shared/result.ts';

type Kind = 'string' | 'number' | 'boolean';

interface Shape {
  readonly type?: string;
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Shape>>;
}

/**
 * Every column a CSV of devices may have, in dot notation, and what stands in it. Read off the contract, so that a new
 * field of a device is a new column without further doing.
 */
const COLUMNS: ReadonlyMap<string, Kind> = new Map(columnsOf());

function columnsOf(): [string, Kind][] {
  const root = z.toJSONSchema(deviceResponseSchema, { unrepresentable: 'any', io: 'input' }) as Shape & {
    readonly $defs?: Readonly<Record<string, Shape>>;
  };
  const columns: [string, Kind][] = [];
  const walk = (shape: Shape, path: string): void => {
    const there = shape.$ref === undefined ? shape : root.$defs?.[shape.$ref.replace('#/$defs/', '')];
    if (there?.properties !== undefined)
      for (const [name, member] of Object.entries(there.properties))
        walk(member, path === '' ? name : `${path}.${name}`);
    else columns.push([path, kindOf(there?.type)]);
  };
  walk(root, '');
  return columns;
}

function kindOf(type: string | undefined): Kind {
  if (type === 'boolean') return 'boolean';
  return type === 'number' || type === 'integer' ? 'number' : 'string';
}

export interface Column {
  readonly path: readonly string[];
  readonly kind: Kind;
}

/** The columns of the header. Fails with `invalid` for a column no device has, one named twice, or no `deviceId`. */
export function readHeader(names: readonly string[]): Result<readonly Column[]> {
  const columns: Column[] = [];
  const seen = new Set<string>();
  for (const [index, text] of names.entries()) {
    const name = text.trim();
    const kind = COLUMNS.get(name);
    if (kind === undefined)
      return fail(
        'invalid',
        `column ${index + 1} is not a field of a device; check its spelling`,
        `/${index}`,
      );
    if (seen.has(name))
      return fail(
        'invalid',
        `column ${index + 1} repeats the field ${name}; remove one of the two columns`,
        `/${index}`,
      );
    seen.add(name);
    columns.push({ path: name.split('.'), kind });
  }
  return seen.has('deviceId')
    ? ok(columns)
    : fail('invalid', 'the first row must name the columns, deviceId among them', '/0');
}

/** The device a row describes, not yet checked; an empty cell says nothing. Fails with `invalid` for a row too wide or a NUL. */
export function readRow(columns: readonly Column[], cells: readonly string[]): Result<object> {
  if (cells.length > columns.length)
    return fail(
      'invalid',
      `the row must have ${columns.length} cells, one for each column, and has ${cells.length}`,
    );
  const device: Record<string, unknown> = {};
  for (const [index, { path, kind }] of columns.entries()) {
    const cell = cells[index] ?? '';
    if (cell.includes('\0')) {
      const pointer = `/${path.join('/')}`;
      return fail('invalid', `${pointer}: must not have the character NUL (U+0000); remove it`, pointer);
    }
    if (cell !== '') put(device, path, cellValue(cell, kind));
  }
  return ok(device);
}

function put(into: Record<string, unknown>, path: readonly string[], value: unknown): void {
  const [name, ...rest] = path;
  if (name === undefined) return;
  if (rest.length === 0) {
    into[name] = value;
    return;
  }
  const next = (into[name] ?? {}) as Record<string, unknown>;
  into[name] = next;
  put(next, rest, value);
}

/** A cell that is no number or truth value stays text, so that the contract refuses it by name. */
function cellValue(cell: string, kind: Kind): unknown {
  if (kind === 'number' && /^-?\d+(\.\d+)?$/.test(cell.trim())) return Number(cell);
  if (kind === 'boolean' && /^(true|false)$/i.test(cell.trim())) return cell.trim().toLowerCase() === 'true';
  return cell;
}
