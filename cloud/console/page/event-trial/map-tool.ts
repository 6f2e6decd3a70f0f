import { applyEventMap, compileEventMap, type EventMap } from '#shared/matching/index.ts';
import type { Values } from '../../component/form/schema.ts';

/** The effect of a map on one event. */
export type Outcome =
  | { readonly kind: 'dropped'; readonly rule: number }
  /** The rule matches and inserts too much: the event is sent as it is. */
  | { readonly kind: 'tooLarge'; readonly rule: number; readonly reason: string }
  | {
      readonly kind: 'sent';
      /** Index of the rule; undefined: none matches. */
      readonly rule: number | undefined;
      /** Appended to the base URL; undefined: the path of the callback. */
      readonly path: string | undefined;
      readonly headers: Readonly<Record<string, string>>;
      readonly body: unknown;
    };

/** A compiled map, or the fault that keeps it from being one. */
export type TriedMap =
  | { readonly ok: true; readonly run: (event: Values) => Outcome }
  | { readonly ok: false; readonly path: string; readonly reason: string };

/** Compiles a map as it is typed, by the functions that decide on a host; undefined: it has no rules yet. */
export function triedMap(map: unknown): TriedMap | undefined {
  const rules = (map as Partial<EventMap> | undefined)?.rules;
  if (!Array.isArray(rules) || rules.length === 0) return undefined;
  try {
    const compiled = compileEventMap({ rules });
    if (!compiled.ok) return { ok: false, path: compiled.error.path, reason: compiled.error.reason };
    return { ok: true, run: (event) => outcomeOf(applyEventMap(compiled.value, event)) };
  } catch {
    // A part that is no object yet: the control plane says which one, as it judges the form.
    return undefined;
  }
}

function outcomeOf({ rule, path, headers, body, drop, overrun }: ReturnType<typeof applyEventMap>): Outcome {
  if (overrun !== undefined) return { kind: 'tooLarge', rule: overrun.at, reason: overrun.reason };
  if (drop && rule !== null) return { kind: 'dropped', rule };
  return { kind: 'sent', rule: rule ?? undefined, path, headers, body };
}
