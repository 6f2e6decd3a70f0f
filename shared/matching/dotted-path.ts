import { fail, ok, type Result } from '../result.ts';

/** Steps into a JSON document: `alarmEvent.deviceType`, `sourceAlarmEvent.warnings.0`. */
export type DottedPath = readonly string[];

const MAX_STEPS = 16;
const PROTOTYPE_NAMES = new Set(['__proto__', 'constructor', 'prototype']);

export function parseDottedPath(text: string): Result<DottedPath> {
  const steps = text.split('.');
  if (steps.length > MAX_STEPS) return fail('pathInvalid', `"${text}" has more than ${MAX_STEPS} steps`);
  for (const step of steps) {
    if (!/^[A-Za-z0-9_$-]+$/.test(step)) return fail('pathInvalid', `"${text}" is not a dotted path`);
    if (PROTOTYPE_NAMES.has(step)) return fail('pathInvalid', `"${step}" names a prototype`);
  }
  return ok(steps);
}

/** undefined when a step is not there. Only own properties count. */
export function valueAt(document: unknown, path: DottedPath): unknown {
  let value = document;
  for (const step of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
    value = (value as Record<string, unknown>)[step];
  }
  return value;
}

/** A copy of `document` with `value` at `path`; steps that are missing or no objects become objects. */
export function withValueAt(document: unknown, path: DottedPath, value: unknown): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return value;
  const inner = withValueAt(valueAt(document, [step]), rest, value);
  if (Array.isArray(document) && /^\d+$/.test(step) && Number(step) < document.length) {
    return document.with(Number(step), inner);
  }
  const owner = typeof document === 'object' && document !== null && !Array.isArray(document) ? document : {};
  return { ...owner, [step]: inner };
}
