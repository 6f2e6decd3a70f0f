import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, symlinkSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { ROOT } from '#test/architecture/repository.ts';
import { fencesIn } from '#test/documentation/fence.ts';
import { type Started, startProgram } from '#test/examples/started.ts';

/** A person who types the lines of the documentation into terminals, in a clean clone and in a network of its own. */
export interface Reader {
  readonly clone: string;
  /** Types lines into a terminal of their own. */
  readonly type: (...lines: readonly string[]) => Started;
  /** The block of a page that has these words; `nth` of several, from 0. */
  readonly block: (page: string, words: string, nth?: number) => string;
  readonly typedCharacters: () => number;
  /** Processor time of everything that was started, seconds. */
  readonly processorSeconds: () => number;
  readonly close: () => Promise<void>;
}

/** Clock ticks of a second (`getconf CLK_TCK`), which is 100 on every Linux of today. */
const TICKS = 100;

/** Processor time of a process, and of its children that have ended, seconds (proc(5), stat, fields 14 to 17). */
function processorTime(pid: string): { readonly own: number; readonly ended: number } {
  // The name of the program, in brackets, may have spaces.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  const [user = 0, system = 0, userOfEnded = 0, systemOfEnded = 0] = fields.slice(11, 15).map(Number);
  return { own: (user + system) / TICKS, ended: (userOfEnded + systemOfEnded) / TICKS };
}

/** `installed`: the packages come as for a newcomer. `linked`: those of this checkout stand in, which is quicker. */
export function openReader(packages: 'installed' | 'linked'): Reader {
  const folder = mkdtempSync(join(tmpdir(), 'carillon-reader-'));
  const clone = join(folder, 'carillon');
  const network = `reader-${process.pid}`;
  const paths = (process.env.PATH ?? '').split(delimiter);
  const environment = {
    PATH: paths.filter((each) => !each.includes('node_modules')).join(delimiter),
    HOME: process.env.HOME ?? folder,
    XDG_CONFIG_HOME: folder,
    PYTHONDONTWRITEBYTECODE: '1',
    npm_config_prefer_offline: 'true',
  };
  const run = (program: string, ...words: string[]) =>
    execFileSync(program, words, { env: environment, stdio: 'pipe' });
  const terminals: Started[] = [];
  const before = processorTime('self').ended;
  // A line that is typed once more is brought back by a key.
  const typed = new Set<string>();

  run('git', 'clone', '--quiet', '--depth', '1', `file://${ROOT}`, clone);
  // `npm start` installs them first. Here it is done before, because the other network has no way to the packages.
  if (packages === 'installed') run('node', join(clone, 'installer/build/ensure-deps.mjs'));
  else symlinkSync(join(ROOT, 'node_modules'), join(clone, 'node_modules'));
  // The pages name the usual ports, which other programs of this machine may have.
  run('ip', 'netns', 'add', network);
  run('ip', '-n', network, 'link', 'set', 'lo', 'up');

  return {
    clone,
    type: (...lines) => {
      const text = lines.join('\n');
      for (const line of lines) typed.add(line);
      const command = ['ip', 'netns', 'exec', network, 'bash', '-c', text];
      const terminal = startProgram(command, { cwd: clone, env: environment, detached: true });
      terminals.push(terminal);
      return terminal;
    },
    block: (page, words, nth = 0) => {
      const fences = fencesIn(page, readFileSync(join(clone, page), 'utf8'));
      const found = fences.filter(({ language, text }) => language === 'sh' && text.includes(words))[nth];
      if (found === undefined) throw new Error(`${page} has no block with ${words}`);
      return found.text;
    },
    typedCharacters: () => [...typed].join('').length,
    processorSeconds: () => {
      const running = run('ip', 'netns', 'pids', network)
        .toString()
        .split('\n')
        .filter((pid) => pid !== '');
      const times = running.map((pid) => processorTime(pid));
      return times.reduce((sum, { own, ended }) => sum + own + ended, processorTime('self').ended - before);
    },
    close: async () => {
      for (const each of terminals.toReversed()) await each.stop();
      run('ip', 'netns', 'delete', network);
      await rm(folder, { recursive: true, force: true });
    },
  };
}
