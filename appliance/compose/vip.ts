import { chmod, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { uptime } from 'node:os';
import { join } from 'node:path';

/** The file that the check of keepalived reads, and the file that its notify lines write; `systemd/vip` has the same words. */
const SERVING = 'serving';
const STATE = 'vip-state';

/**
 * The floating address of the site, held by keepalived beside this program. `serving` is written every second while this
 * host may have it: the number of this process, and the seconds that the machine was up (`/proc/uptime`, which no clock
 * that is set moves). A check that finds it fresh asks no host; otherwise it asks `/vipz` here and of the other hosts.
 * `vip-state` is one word of keepalived's notify script: MASTER, BACKUP or FAULT; without the file the site has no VIP.
 */
export function openVip(folder: string) {
  const serving = join(folder, SERVING);
  /** Whole or not at all, and for the eyes of whoever runs the check. */
  const say = async (): Promise<void> => {
    const coming = `${serving}.new`;
    await writeFile(coming, `${process.pid} ${Math.floor(uptime())}\n`);
    await chmod(coming, 0o644);
    await rename(coming, serving);
  };
  let mine: boolean | undefined;
  let looking = false;
  return {
    /** As of the last look; undefined: the site has none. */
    get mine(): boolean | undefined {
      return mine;
    },
    /** A disk that stalls must not hold the loop up: who is not through with the last look does not begin another. */
    async look(serves: boolean): Promise<void> {
      if (looking) return;
      looking = true;
      try {
        mine = await readFile(join(folder, STATE), 'utf8').then(
          (word) => word.trim() === 'MASTER',
          () => undefined,
        );
        if (serves) await say();
        else await rm(serving, { force: true });
      } finally {
        looking = false;
      }
    },
    /** This host takes no alarms any more. */
    leave: (): Promise<void> => rm(serving, { force: true }),
  };
}
