import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const KINDS = ['sip', 'callback', 'journal', 'log'];

/** The tests whose effects differ between two folders, each with the first effect that does. */
export function differences(before: string, after: string): string[] {
  const [old, now] = [readAll(before), readAll(after)];
  const names = [...new Set([...old.keys(), ...now.keys()])].sort();
  return names.flatMap((name) => difference(name, old.get(name), now.get(name)));
}

function readAll(folder: string): ReadonlyMap<string, readonly string[]> {
  return new Map(
    readdirSync(folder).map((file) => {
      const [name = '', ...lines] = readFileSync(join(folder, file), 'utf8').trimEnd().split('\n');
      return [name, lines];
    }),
  );
}

/**
 * Effects of one kind are compared in their order. Between two kinds it may be another one: a thread writes the journal in its
 * own time.
 */
function difference(name: string, old?: readonly string[], now?: readonly string[]): string[] {
  if (old === undefined) return [`${name}: is new`];
  if (now === undefined) return [`${name}: is gone`];
  for (const kind of KINDS) {
    const [a, b] = [old, now].map((lines) => lines.filter((line) => line.startsWith(`${kind} `)));
    const at = Array.from({ length: Math.max(a?.length ?? 0, b?.length ?? 0) }).findIndex(
      (_, index) => a?.[index] !== b?.[index],
    );
    if (at >= 0)
      return [`${name}: ${kind} ${at + 1}\n  - ${a?.[at] ?? 'nothing'}\n  + ${b?.[at] ?? 'nothing'}`];
  }
  return [];
}
