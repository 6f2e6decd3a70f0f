import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type ReleaseRequest, releaseRequestSchema } from '#shared/contract/feed/index.ts';
import { layout } from '../../plan/index.ts';
import { run } from '../host/host-program.ts';

const WANTED = `${layout.requests}/wanted.json`;
/** The folder of root's own copies: no other user can change them between the check and the use. */
const TAKEN = `${layout.update}/wanted`;
const MOST_BYTES = { request: 4_096, signature: 4_096, release: 256 * 1_048_576 };
const COPY_WITHIN_MS = 120_000;

/** Before a program: it has the rights of the appliance and no more. */
export const AS_APPLIANCE = [
  'setpriv',
  '--reuid=carillon',
  '--regid=carillon',
  '--clear-groups',
  '--',
] as const;

export type WantedRelease =
  | { readonly kind: 'none' }
  /** Something was there that is no request; it is removed now. */
  | { readonly kind: 'damaged' }
  | { readonly kind: 'taken'; readonly request: ReleaseRequest; readonly file: string };

/**
 * Takes up what the appliance asks for. Its folder belongs to it, and what lies there may be a link to anywhere: everything in it
 * is read and removed with the rights of the appliance. Afterwards the folder is empty, so that one request is one try.
 */
export async function takeWantedRelease(): Promise<WantedRelease> {
  const read = await run([...AS_APPLIANCE, 'head', '-c', String(MOST_BYTES.request), WANTED]);
  if (read.code !== 0 && read.err.includes('No such file')) return { kind: 'none' };
  rmSync(TAKEN, { recursive: true, force: true });
  const request = requestIn(read.out);
  try {
    if (request === undefined) return { kind: 'damaged' };
    mkdirSync(TAKEN, { recursive: true, mode: 0o700 });
    const file = join(TAKEN, request.file);
    const whole =
      (await copied(`${layout.requests}/${request.file}`, file, MOST_BYTES.release)) &&
      (await copied(`${layout.requests}/${request.file}.minisig`, `${file}.minisig`, MOST_BYTES.signature));
    if (whole) return { kind: 'taken', request, file };
    dropWantedRelease();
    return { kind: 'damaged' };
  } finally {
    await run([...AS_APPLIANCE, 'rm', '-rf', '--one-file-system', layout.requests]);
  }
}

/** The copies go, whatever became of them. */
export const dropWantedRelease = (): void => rmSync(TAKEN, { recursive: true, force: true });

function requestIn(text: string): ReleaseRequest | undefined {
  try {
    return releaseRequestSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/** The first bytes of a file, read by the appliance, written by us. */
async function copied(from: string, to: string, mostBytes: number): Promise<boolean> {
  const file = openSync(to, 'wx', 0o600);
  try {
    const [program, ...words] = [...AS_APPLIANCE, 'head', '-c', String(mostBytes), from];
    const child = spawn(program ?? '', words, { stdio: ['ignore', file, 'ignore'], timeout: COPY_WITHIN_MS });
    return await new Promise((resolve) => {
      child.once('error', () => resolve(false));
      child.once('close', (code) => resolve(code === 0));
    });
  } finally {
    closeSync(file);
  }
}
