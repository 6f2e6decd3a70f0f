import { randomBytes } from 'node:crypto';
import {
  chmod,
  chown,
  copyFile,
  cp,
  lstat,
  mkdir,
  open,
  readFile,
  readlink,
  rename,
  rm,
  stat,
  symlink,
} from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { exitCode, Stop } from '../../exit-code.ts';
import { type Action, type Look, layout, type Undo } from '../../plan/index.ts';
import { output, run } from './host-program.ts';

const nothing: Look = { needed: false };

/** The state that an action finds on this host, and its undo; keeps aside the files that a change would destroy. */
export async function look(action: Action): Promise<Look> {
  switch (action.kind) {
    case 'folder':
      if (await sameFolder(action)) return nothing;
      return (await exists(action.path))
        ? { needed: true }
        : { needed: true, undo: { kind: 'remove', path: action.path } };
    case 'file':
      return (await sameFile(action)) ? nothing : { needed: true, undo: await undoFor(action.path) };
    case 'copy':
      return (await sameContent(action.from, action.path))
        ? nothing
        : { needed: true, undo: await undoFor(action.path) };
    case 'link': {
      const target = await readlink(action.path).catch(() => undefined);
      if (target === action.target) return nothing;
      const { path } = action;
      if (target !== undefined) return { needed: true, undo: { kind: 'link', path, target } };
      return { needed: true, undo: await undoFor(path) };
    }
    case 'remove':
      return (await exists(action.path)) ? { needed: true } : nothing;
    case 'command': {
      const { unless, undo } = action;
      if (unless !== undefined && (await run(unless)).code === 0) return nothing;
      return undo === undefined ? { needed: true } : { needed: true, undo: { kind: 'command', argv: undo } };
    }
    case 'act':
      return { needed: true };
  }
}

/** Makes the change. Rejects with a `Stop`: exit 74 for the disk, 77 for what is not permitted. */
export async function make(action: Action): Promise<void> {
  try {
    await change(action);
  } catch (cause) {
    if (cause instanceof Stop) throw cause;
    const { code, message } = cause as NodeJS.ErrnoException;
    const permitted = code !== 'EACCES' && code !== 'EPERM';
    throw new Stop(permitted ? exitCode.disk : exitCode.notPermitted, message);
  }
}

async function change(action: Action): Promise<void> {
  switch (action.kind) {
    case 'folder':
      await mkdir(action.path, { recursive: true, mode: action.mode });
      await chmod(action.path, action.mode);
      return own(action.path, action.owner);
    case 'file':
      return write(action.path, action.mode, action.owner, (beside) => filled(beside, action.text));
    case 'copy':
      return write(action.path, action.mode, undefined, (beside) => copyFile(action.from, beside));
    case 'link':
      return relink(action.path, action.target);
    case 'remove':
      return rm(action.path, { recursive: true, force: true });
    case 'command': {
      const { code, out, err } = await run(action.argv);
      if (code === 0 || action.lenient === true) return;
      const said = (err.trim() || out.trim()).split('\n').at(-1) ?? '';
      throw new Stop(exitCode.unexpected, `${action.argv.join(' ')} ended with ${code}: ${said}`);
    }
    case 'act':
      // The runner of the plan does it.
      return;
  }
}

/** Takes one change back. A missing file is no failure, and a command that fails does not hold up the others. */
export async function takeBack(undo: Undo): Promise<void> {
  switch (undo.kind) {
    case 'remove':
      // Its writing may have been cut.
      await rm(`${undo.path}.part`, { force: true });
      return rm(undo.path, { recursive: true, force: true });
    case 'link':
      return relink(undo.path, undo.target);
    case 'restore': {
      const { mode, uid, gid } = await stat(undo.from);
      await write(undo.path, mode & 0o7777, undefined, (beside) => copyFile(undo.from, beside));
      return chown(undo.path, uid, gid);
    }
    case 'command':
      await run(undo.argv);
  }
}

/** A file that is there is kept aside; one that is not will be removed. */
async function undoFor(path: string): Promise<Undo> {
  if (!(await exists(path))) return { kind: 'remove', path };
  const from = join(layout.backup, `${basename(path)}.${randomBytes(4).toString('hex')}`);
  await mkdir(layout.backup, { recursive: true, mode: 0o700 });
  await cp(path, from, { preserveTimestamps: true });
  const { uid, gid } = await stat(path);
  await chown(from, uid, gid);
  return { kind: 'restore', path, from };
}

/** Whole or not at all, also across a power cut: beside it first, synced, then renamed. */
async function write(
  path: string,
  mode: number,
  owner: string | undefined,
  fill: (beside: string) => Promise<void>,
): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const beside = `${path}.part`;
  await rm(beside, { force: true });
  await fill(beside);
  await chmod(beside, mode);
  await own(beside, owner);
  await synced(beside);
  await rename(beside, path);
  await synced(dirname(path));
}

async function filled(beside: string, text: string): Promise<void> {
  const file = await open(beside, 'wx', 0o600);
  try {
    await file.writeFile(text);
  } finally {
    await file.close();
  }
}

async function relink(path: string, target: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const beside = `${path}.part`;
  await rm(beside, { force: true });
  await symlink(target, beside);
  await rename(beside, path);
  await synced(dirname(path));
}

async function synced(path: string): Promise<void> {
  const file = await open(path, 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

/** `user:group` by name; asked of the system, since the user may just have been made. */
async function own(path: string, owner: string | undefined): Promise<void> {
  if (owner === undefined) return;
  const [user = '', group = ''] = owner.split(':');
  const uid = await idOf('passwd', user);
  const gid = await idOf('group', group);
  await chown(path, uid, gid);
}

async function idOf(table: 'passwd' | 'group', name: string): Promise<number> {
  const line = await output('getent', table, name);
  const id = Number(line?.split(':')[2]);
  if (line === undefined || !Number.isInteger(id)) {
    throw new Stop(exitCode.missing, `there is no ${table === 'passwd' ? 'user' : 'group'} ${name} here`);
  }
  return id;
}

const exists = async (path: string): Promise<boolean> =>
  (await lstat(path).catch(() => undefined)) !== undefined;

async function sameFolder(action: Extract<Action, { kind: 'folder' }>): Promise<boolean> {
  const found = await stat(action.path).catch(() => undefined);
  if (found === undefined || (found.mode & 0o7777) !== action.mode) return false;
  return ownedBy(found, action.owner);
}

async function sameFile(action: Extract<Action, { kind: 'file' }>): Promise<boolean> {
  const found = await stat(action.path).catch(() => undefined);
  if (found === undefined || (found.mode & 0o7777) !== action.mode) return false;
  if ((await readFile(action.path, 'utf8')) !== action.text) return false;
  return ownedBy(found, action.owner);
}

async function ownedBy(found: { readonly uid: number; readonly gid: number }, owner: string | undefined) {
  if (owner === undefined) return true;
  const [user = '', group = ''] = owner.split(':');
  const ids = await Promise.all([idOf('passwd', user), idOf('group', group)]).catch(() => undefined);
  return ids !== undefined && found.uid === ids[0] && found.gid === ids[1];
}

/** Sizes first: two releases hardly ever have the same. */
async function sameContent(from: string, path: string): Promise<boolean> {
  const [a, b] = await Promise.all([stat(from), stat(path).catch(() => undefined)]);
  if (b === undefined || a.size !== b.size) return false;
  return (await run(['cmp', '--silent', from, path])).code === 0;
}
