import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'postject';
import { ENGINE_FLAGS } from '../io/engine-flag.ts';
import { strip } from './strip.ts';
import { writeArchive } from './write-archive.ts';

/** Where Node looks for a program inside itself. */
const RESOURCE = 'NODE_SEA_BLOB';
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';

/** Warnings that a person at a site can do nothing about (`node:wasi`; `url.parse` of a package). */
const QUIET = ['--disable-warning=ExperimentalWarning', '--disable-warning=DEP0169'];

/** Node's own blob of the main program; it belongs to this very version of Node, and to no CPU. */
export function seaBlob(start: string): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'carillon-blob-'));
  try {
    const at = (name: string): string => join(folder, name);
    writeFileSync(at('start.cjs'), start);
    const config = {
      main: 'start.cjs',
      output: 'blob',
      disableExperimentalSEAWarning: true,
      useSnapshot: false,
      useCodeCache: false,
      execArgv: [...ENGINE_FLAGS, ...QUIET],
      // Ignores NODE_OPTIONS: the environment must not alter an installed program.
      execArgvExtension: 'none',
    };
    writeFileSync(at('sea.json'), JSON.stringify(config));
    execFileSync(process.execPath, ['--experimental-sea-config', 'sea.json'], { cwd: folder, stdio: 'pipe' });
    return readFileSync(at('blob'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/**
 * The binary: Node without its symbols, our program in it, our files behind it.
 *
 *   Node, stripped │ note with the main program │ archive
 */
export async function writeBinary(
  file: string,
  node: string,
  blob: Buffer,
  content: ReadonlyMap<string, Uint8Array>,
): Promise<void> {
  writeFileSync(file, strip(readFileSync(node)));
  await quietly(() => inject(file, RESOURCE, blob, { sentinelFuse: FUSE }));
  const program = readFileSync(file);
  writeFileSync(file, Buffer.concat([program, writeArchive(content, program.length)]));
  chmodSync(file, 0o755);
}

/** postject complains about notes of the linker that it leaves alone. */
async function quietly(work: () => Promise<void>): Promise<void> {
  const { warn, log, error } = console;
  const drop = (): void => undefined;
  Object.assign(console, { warn: drop, log: drop, error: drop });
  try {
    await work();
  } finally {
    Object.assign(console, { warn, log, error });
  }
}
