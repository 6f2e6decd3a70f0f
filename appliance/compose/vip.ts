import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What the check of keepalived looks at, and what its notify script writes; the same words stand in the unit. */
const SERVING = 'serving';
const STATE = 'vip-state';

/**
 * The floating address of the site, held by keepalived beside this program. `serving` is written every second while this
 * host can take alarms: the check is `find serving -newermt '-3 seconds'`, which starts nothing heavy. `vip-state` is one
 * word of keepalived's notify script: MASTER, BACKUP or FAULT; without the file the site has no VIP.
 */
export function openVip(folder: string) {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const serving = join(folder, SERVING);
  return {
    /** Undefined: the site has none. */
    get mine(): boolean | undefined {
      try {
        return readFileSync(join(folder, STATE), 'utf8').trim() === 'MASTER';
      } catch {
        return undefined;
      }
    },
    say(serves: boolean, nowMs: number): void {
      if (serves) writeFileSync(serving, `${Math.floor(nowMs)}\n`);
      else rmSync(serving, { force: true });
    },
  };
}
