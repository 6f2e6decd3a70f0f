import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The files in the folder of state, by kind. The last kind signs the report of a wipe. */
const KINDS: readonly (readonly [kind: string, is: (name: string) => boolean])[] = [
  ['configuration', (name) => /^config(-lkg)?\.db/.test(name)],
  ['journal', (name) => name.startsWith('journal.db')],
  ['recordings', (name) => /^recording(s|-copy)?$/.test(name)],
  ['prompts', (name) => /^(prompt|cache|tts)/.test(name)],
  ['siteKey', (name) => name === 'site.key'],
  ['sealKey', (name) => name === 'seal.key'],
];
const IDENTITY = ['host.key', 'host.crt', 'ca.crt', 'identity.json'];
const MARK = 'wipe.json';
/** Held open by this process until its end. */
const LOCK = 'lock.db';

export interface Wiped {
  readonly wiped: string[];
  readonly left: string[];
}

/** Removes everything in `folder` but the identity of the host, its lock and the mark of the wipe. */
export function wipeState(folder: string): Wiped {
  const wiped = new Set<string>();
  const left: string[] = [];
  for (const name of readdirSync(folder)) {
    if (IDENTITY.includes(name) || name === MARK || name.startsWith(LOCK)) continue;
    const kind = KINDS.find(([, is]) => is(name))?.[0] ?? 'other';
    try {
      rmSync(join(folder, name), { recursive: true, force: true });
      wiped.add(kind);
    } catch (cause) {
      left.push(`${name}: ${cause instanceof Error ? cause.message : String(cause)}`.slice(0, 300));
    }
  }
  return { wiped: [...wiped], left: left.slice(0, 64) };
}

/** The machine is no host any more. */
export function wipeIdentity(folder: string): void {
  // The key last: with the key alone a machine is a stranger, with an identity and no key it is a riddle.
  for (const name of [...IDENTITY].reverse()) rmSync(join(folder, name), { force: true });
  rmSync(join(folder, MARK), { force: true });
}

/** The operation whose wipe has begun in `folder`. */
export function wipeBegun(folder: string): { readonly op: string | null } | undefined {
  const file = join(folder, MARK);
  if (!existsSync(file)) return undefined;
  try {
    const { op } = JSON.parse(readFileSync(file, 'utf8')) as { op?: unknown };
    return { op: typeof op === 'string' ? op : null };
  } catch {
    return { op: null };
  }
}

export const beginWipe = (folder: string, op: string | null): void =>
  writeFileSync(join(folder, MARK), `${JSON.stringify({ op })}\n`, { mode: 0o600, flush: true });
