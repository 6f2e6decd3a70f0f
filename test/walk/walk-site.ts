import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { openSite, type Site } from '#test/support/site.ts';
import type { Entered } from './walk-rule.ts';

export interface WalkSite {
  readonly site: Site;
  /**
   * Does `walk`. The answer reads the calls of it, in their order, as far as they are written down: those that an input
   * brought about which was heard in a file that one of the patterns fits.
   */
  readonly follow: (
    walk: (site: Site) => Promise<void>,
  ) => Promise<(inputs: readonly RegExp[]) => readonly Entered[]>;
  readonly close: () => Promise<void>;
}

const RECORDER = resolve(import.meta.dirname, 'call-recorder.ts');

/** A cloud and an appliance as processes of their own, which write down their calls. */
export async function openWalkSite(): Promise<WalkSite> {
  const folder = mkdtempSync(join(tmpdir(), 'carillon-walk-'));
  const site = await recordedInto(folder, openSite).catch((cause: unknown) => {
    rmSync(folder, { recursive: true, force: true });
    throw cause;
  });
  return {
    site,
    follow: async (walk) => {
      const begun = new Map(readdirSync(folder).map((name) => [name, statSync(join(folder, name)).size]));
      await walk(site);
      return (inputs) =>
        readdirSync(folder)
          .flatMap((name) => calledIn(join(folder, name), begun.get(name) ?? 0, inputs))
          .sort((a, b) => (a.ns < b.ns ? -1 : 1));
    },
    close: async () => {
      await site.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Starts programs that load the recorder first; this process does not. */
async function recordedInto<T>(folder: string, start: () => Promise<T>): Promise<T> {
  const { WALK_FOLDER, NODE_OPTIONS } = process.env;
  process.env.WALK_FOLDER = folder;
  process.env.NODE_OPTIONS = `--import=${RECORDER}`;
  try {
    return await start();
  } finally {
    restore('WALK_FOLDER', WALK_FOLDER);
    restore('NODE_OPTIONS', NODE_OPTIONS);
  }
}

function restore(name: string, value: string | undefined): void {
  if (value === undefined) delete process.env[name];
  else process.env[name] = value;
}

type Timed = Entered & { readonly ns: bigint };

/** The calls of one thread that stand behind `from` in its file, brought about by an input that is there too. */
function calledIn(file: string, from: number, inputs: readonly RegExp[]): Timed[] {
  const isShared = !file.endsWith('-0');
  const fits = new Set<string>();
  const calls: Timed[] = [];
  for (const line of readFileSync(file).subarray(from).toString('latin1').split('\n')) {
    const [time = '', input = '', path, ...callers] = line.split(' ').filter((word) => word !== '<');
    if (path === undefined) continue;
    if (input.startsWith('+') && inputs.some((each) => each.test(path))) fits.add(input.slice(1));
    if (isShared || fits.has(input.replace('+', '')))
      calls.push({ ns: BigInt(time), path, callers, isShared });
  }
  return calls;
}
