import { chmod, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { uptime } from 'node:os';
import { join } from 'node:path';
import { VipLook } from '../site/peer/index.ts';

/** The file that the check of keepalived reads, and the file that its notify lines write; `systemd/vip` has the same words. */
const SERVING = 'serving';
const STATE = 'vip-state';

/**
 * The floating address of the site, held by keepalived beside this program. `serving` is written every second while this
 * host may have it: the number of this process, and the seconds that the machine was up (`/proc/uptime`, which no clock
 * that is set moves). A check that finds it fresh asks no host; otherwise it asks `/vipz` here and of the other hosts.
 * `vip-state` is one word of keepalived's notify script: MASTER, BACKUP or FAULT; without the file the site has no VIP.
 */
export function openVip(folder: string): VipLook {
  const serving = join(folder, SERVING);
  return new VipLook({
    word: () => readFile(join(folder, STATE), 'utf8').catch(() => undefined),
    /** Whole or not at all, and for the eyes of whoever runs the check. */
    say: async () => {
      const coming = `${serving}.new`;
      await writeFile(coming, `${process.pid} ${Math.floor(uptime())}\n`);
      await chmod(coming, 0o644);
      await rename(coming, serving);
    },
    withdraw: () => rm(serving, { force: true }),
  });
}
