import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NETPLAN_FILE, NETPLAN_FOLDER, type NetworkFile, type NetworkPlanRequest } from '../../plan/index.ts';
import { run } from '../host/host-program.ts';

/** The lists that our file holds in full; netplan would put lists of other files before those of ours. */
const SAID = ['addresses', 'nameservers', 'gateway4', 'gateway6'] as const;

/**
 * The files of netplan without what they say of an interface and ours will say: otherwise the address before stays beside the new
 * one. netplan itself takes it out, in a copy of its folder. Only files that change, as they shall be; routes other than the
 * default ones stay, and with them all routes that the files name for the interface.
 */
export async function clearedNetplan(
  { name, gateway }: Pick<NetworkPlanRequest, 'name' | 'gateway'>,
  folder: string = NETPLAN_FOLDER,
): Promise<readonly NetworkFile[]> {
  const root = mkdtempSync(join(tmpdir(), 'carillon-netplan-'));
  const copies = join(root, 'etc/netplan');
  try {
    mkdirSync(copies, { recursive: true, mode: 0o700 });
    const files = readdirSync(folder).filter((file) => file.endsWith('.yaml') && file !== NETPLAN_FILE);
    const before = new Map(files.map((file) => [file, readFileSync(join(folder, file), 'utf8')]));
    for (const [file, text] of before) writeFileSync(join(copies, file), text, { mode: 0o600 });
    const routes = (await run(['netplan', 'get', '--root-dir', root, `ethernets.${name}.routes`])).out;
    const keys = gateway !== undefined && isDefaultOnly(routes) ? [...SAID, 'routes'] : SAID;
    for (const key of keys)
      await run(['netplan', 'set', '--root-dir', root, `ethernets.${name}.${key}=NULL`]);
    return [...before].flatMap(([file, text]) => {
      const after = textOf(join(copies, file));
      if (after === text || !isNamed(text, name)) return [];
      return [{ path: join(folder, file), text: after, mode: statSync(join(folder, file)).mode & 0o777 }];
    });
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

/** netplan writes a file again, without its comments, whenever it is asked; lines that do not name the interface stay. */
const isNamed = (text: string, name: string): boolean => text.includes(`${name}:`);

/** netplan removes a file in which nothing is left. */
function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return 'network:\n  version: 2\n';
  }
}

/** Every route that is listed leads everywhere; none at all: there is nothing to clear. */
function isDefaultOnly(routes: string): boolean {
  const targets = [...routes.matchAll(/\bto:\s*"?([^\s"]+)"?/g)].map(([, to]) => to);
  return targets.length > 0 && targets.every((to) => ['default', '0.0.0.0/0', '::/0'].includes(to ?? ''));
}
