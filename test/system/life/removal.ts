import { describe, expect, test } from 'vitest';
import type { Life } from './stage.ts';

/** Files that stay, and files that are removed. */
export const removal = (life: Life) =>
  describe('removal', () => {
    test('keeps what it says, and nothing else', async () => {
      const ran = await life.machine.carillon('uninstall', '--yes');
      expect(ran.code, ran.err + ran.out).toBe(0);
      expect(ran.out).toContain('/etc/carillon, /var/lib/carillon, /var/lib/carillon-update');
      // The control plane of this life has ended.
      expect(ran.out).toMatch(/could not be notified/);
      expect(await traces()).toEqual(['/etc/carillon', '/var/lib/carillon', '/var/lib/carillon-update']);
      expect(
        (await life.machine.sh('systemctl list-unit-files --no-legend "carillon*"; pgrep -l carillon')).out,
      ).toBe('');
    });

    test('can be followed by an installation that finds everything again', async () => {
      const ran = await life.install('--no-selftest');
      expect(ran.code, ran.err + ran.out).toBe(0);
      expect((await life.machine.carillon('status')).out).toMatch(/demo\.carillon\.test/);
    });

    test('with its data leaves nothing', async () => {
      const ran = await life.machine.carillon('uninstall', '--yes', '--purge');
      expect(ran.code, ran.err + ran.out).toBe(0);
      expect(await traces()).toEqual([]);
      expect((await life.machine.sh('getent passwd carillon')).code).not.toBe(0);
    });

    /** Everything of ours on the disk; what journald keeps is the system's. */
    async function traces(): Promise<readonly string[]> {
      const places = '/etc /opt /usr /var -xdev -iname "*carillon*" -prune';
      const { out } = await life.machine.sh(`find ${places} | grep -v /var/log/journal | sort`);
      return out.split('\n').filter((line) => line !== '');
    }
  });
