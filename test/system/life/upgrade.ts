import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { bySize } from '#test/support/vitest/rounds.ts';
import { TELEPHONE_PASSWORD } from '../support/control-plane-setting.ts';
import { leftovers } from '../support/leftover.ts';
import { begins } from '../support/machine.ts';
import { done } from '../support/program.ts';
import { signed } from '../support/release.ts';
import { type Life, refused } from './stage.ts';

/** Nine upgrades and nine ways back: a busy machine takes its time. */
const LONG_MS = 400_000;

/** Before, in, and behind the change; by `.ci/run --long` each. `test/installer/plan` cuts each of them on a system in memory. */
const STEPS = bySize(
  ['slot', 'switch', 'ready', 'confirm'],
  ['slot', 'databases', 'quiet', 'guard', 'switch', 'restart', 'ready', 'self-test', 'confirm'],
);

/** The next release, good or broken, and the way back. */
export const upgrade = (life: Life) =>
  describe('upgrade', () => {
    const OLD = life.release.version;
    const NEW = '0.2.0';
    const ANCIENT = '0.0.9';
    const slot = (version: string): string => `/opt/carillon/releases/${version}`;

    beforeAll(async () => {
      // A released build holds the public key. A file beside the program stands for the packed one.
      await trusts(OLD);
      const good = await signed(life.release, life.release.binary, 'good', { version: NEW });
      bring(good, 'good');
      bring(await signed(life.release, life.release.runFile, 'good.run', { version: NEW }), 'good.run');
      await script('exits', '0.3.0', 'exit 1');
      await script('hangs', '0.3.1', 'exec sleep 600');
      await script('refuses', '0.3.2', 'echo "no such setting" >&2; exit 78');
    });

    async function trusts(version: string): Promise<void> {
      life.machine.write(
        `${slot(version)}/assets/installer/io/release-keys.pub`,
        readFileSync(life.release.publicKey, 'utf8'),
      );
    }

    function bring(file: string, name: string): void {
      life.machine.put(file, `/root/${name}`);
      life.machine.put(`${file}.minisig`, `/root/${name}.minisig`);
    }

    /** A small release whose daemon does one thing. */
    async function script(name: string, version: string, daemon: string, words = {}): Promise<void> {
      const file = join(life.folder, name);
      writeFileSync(file, `#!/bin/sh\ncase $1 in\nappliance) ${daemon} ;;\n*) exit 0 ;;\nesac\n`, {
        mode: 0o755,
      });
      bring(await signed(life.release, file, name, { version, ...words }), name);
    }

    test('refuses what is not signed, not whole, not ours, not for this machine or older', async () => {
      life.machine.put(join(life.folder, 'exits'), '/root/unsigned');
      refused(
        await life.machine.carillon('upgrade', '/root/unsigned', '--yes'),
        65,
        /signature of the release is missing/,
      );
      refused(await life.machine.carillon('upgrade', '/root/nothing', '--yes'), 65, /cannot be read/);
      await life.machine.sh(
        'cp /root/exits /root/altered; cp /root/exits.minisig /root/altered.minisig; echo >>/root/altered',
      );
      refused(await life.machine.carillon('upgrade', '/root/altered', '--yes'), 65, /does not fit/);
      await life.machine.sh(
        "sed 's/0.3.0/9.9.9/' /root/exits.minisig >/root/altered.minisig; cp /root/exits /root/altered",
      );
      refused(await life.machine.carillon('upgrade', '/root/altered', '--yes'), 65, /was altered/);
      await life.machine.sh('echo nonsense >/root/altered.minisig');
      refused(await life.machine.carillon('upgrade', '/root/altered', '--yes'), 65, /damaged/);
      const stranger = join(life.folder, 'stranger.key');
      await done(['minisign', '-G', '-W', '-f', '-p', `${stranger}.pub`, '-s', stranger]);
      await script('foreign', '0.3.0', 'exit 1', { key: stranger });
      refused(
        await life.machine.carillon('upgrade', '/root/foreign', '--yes'),
        65,
        /key that this program does not know/,
      );
      await script('cpu', '0.3.0', 'exit 1', { cpu: 'riscv' });
      refused(await life.machine.carillon('upgrade', '/root/cpu', '--yes'), 65, /riscv/);
      await script('older', '0.0.9', 'exit 1');
      refused(await life.machine.carillon('upgrade', '/root/older', '--yes'), 65, /older/);
      refused(
        await life.machine.sh(
          'setpriv --reuid 65534 --clear-groups /usr/local/bin/carillon upgrade /root/good --yes',
        ),
        65,
        /cannot be read/,
      );
      const full =
        'unshare -m sh -c "mkdir -p /tmp/o && mount -t tmpfs -o size=200m none /tmp/o && cp -a /opt/carillon /tmp/o/ && mount --bind /tmp/o /opt';
      refused(await life.machine.sh(`${full} && carillon upgrade /root/good --yes"`), 74, /free under \/opt/);
      expect(await life.machine.unit()).toMatchObject({ active: 'active', slot: OLD });
    });

    test(
      'that is cut at every step leaves the old or the new release running, and is taken back',
      async () => {
        for (const step of STEPS) {
          // A `.run` file is unpacked on the way.
          const file = step === 'slot' ? '/root/good.run' : '/root/good';
          const argv = ['/usr/local/bin/carillon', 'upgrade', file, '--yes', '--json'];
          await life.machine.cut(argv, begins(step));
          const unit = await life.machine.unit();
          expect([OLD, NEW], step).toContain(unit.slot);
          await life.machine.until(({ active }) => active === 'active', 20_000);
          const back = await life.machine.in([`${slot(OLD)}/carillon`, 'rollback', '--yes']);
          expect(back.code, `${step}: ${back.err}`).toBe(0);
          await life.machine.until(({ active, slot: now }) => active === 'active' && now === OLD, 20_000);
          expect((await life.machine.sh('ls /var/lib/carillon-update/pending')).code, step).not.toBe(0);
          expect((await life.machine.sh(`ls -d ${slot(NEW)}`)).code, step).not.toBe(0);
          expect((await life.machine.sh('ls /var/lib/carillon-update/database')).out, step).toBe('');
          expect(await leftovers(life.machine), step).toEqual([]);
        }
      },
      LONG_MS,
    );

    const phone = (device: string, ...words: readonly string[]) => {
      const who = ['--device', device, '--password', TELEPHONE_PASSWORD];
      return ['/usr/local/bin/carillon', 'simulate', 'sip', ...who, ...words];
    };

    async function callUp() {
      const operator = life.machine.begin(phone('operator', '--talk', '600'));
      await operator.says('is registered');
      const call = life.machine.begin(phone('analogue-0001', '--call', 'operator', '--talk', '600'));
      await call.says('hears the other side');
      return { operator, call };
    }

    test('or a stop in a call ends it in order', async () => {
      const { operator, call } = await callUp();
      const stopped = await life.machine.sh('systemctl stop carillon-appliance');
      expect(stopped.code, stopped.err).toBe(0);
      await call.says('the call is over');
      const { out } = await life.machine.sh('systemctl show -p Result -p ExecMainStatus carillon-appliance');
      expect(out.trim().split('\n').sort()).toEqual(['ExecMainStatus=0', 'Result=success']);
      await operator.end();
      await life.machine.sh('systemctl start carillon-appliance');
      await life.machine.until(({ active }) => active === 'active', 30_000);
    });

    test('to a good release waits for a call, keeps the databases, and takes what a .run carries', async () => {
      const { operator, call } = await callUp();
      const words = ['/usr/local/bin/carillon', 'upgrade', '/root/good.run', '--yes', '--json'];
      const ran = life.machine.begin(words);
      await ran.says('"step":"quiet","state":"begun"');
      // It asks every second.
      await pause(2_500);
      expect(ran.said()).not.toContain('"step":"guard","state"');
      expect(call.said()).not.toContain('the call is over');
      await operator.end();
      await call.says('the call is over');
      expect(await ran.code, ran.said()).toBe(0);
      expect(await life.machine.unit()).toMatchObject({ active: 'active', slot: NEW });
      expect(life.machine.read('/var/lib/carillon-update/pending').trim()).toBe(NEW);
      expect((await life.machine.sh(`ls /var/lib/carillon-update/database/${OLD}`)).out).toContain(
        'journal.db',
      );
      expect((await life.machine.carillon('status')).out).toMatch(/0\.2\.0 is on trial/);
      await trusts(NEW);
      const same = await life.machine.carillon('upgrade', '/root/good', '--yes');
      expect(same.out).toContain('runs already');
    });

    test('is confirmed by its timer when it is in health', async () => {
      const { machine } = life;
      expect((await machine.sh('systemctl is-active carillon-upgrade-confirm.timer')).out).toMatch(/^active/);
      // Its ten minutes are over.
      await machine.sh('systemctl start carillon-upgrade-confirm.service');
      const pending = async () => (await machine.sh('ls /var/lib/carillon-update/pending')).code;
      await expect.poll(pending, { timeout: 60_000, interval: 500 }).not.toBe(0);
      await expect.poll(() => leftovers(machine), { timeout: 30_000, interval: 500 }).toEqual([]);
    });

    test('to a release that exits is taken back within 60 s', async () => {
      const ran = await life.machine.carillon('upgrade', '/root/exits', '--yes');
      refused(ran, 4, /taken back/);
      await life.machine.until(({ active, slot: now }) => active === 'active' && now === NEW, 20_000);
      expect(ran.ms).toBeLessThan(60_000);
      console.log(`a release that exits was replaced after ${Math.round(ran.ms)} ms`);
    });

    test('to a release that refuses the configuration is taken back', async () => {
      refused(await life.machine.carillon('upgrade', '/root/refuses', '--yes'), 4, /taken back/);
      await life.machine.until(({ active, slot: now }) => active === 'active' && now === NEW, 20_000);
    });

    test('to a release that hangs before READY is taken back within 120 s', async () => {
      const ran = await life.machine.carillon('upgrade', '/root/hangs', '--yes');
      refused(ran, 4, /taken back/);
      const ms =
        ran.ms +
        (await life.machine.until(({ active, slot: now }) => active === 'active' && now === NEW, 40_000));
      expect(ms).toBeLessThan(120_000);
      console.log(`a release that hangs was replaced after ${Math.round(ms)} ms`);
    });

    test('is undone by hand', async () => {
      const back = await life.machine.carillon('rollback', '--yes');
      expect(back.code, back.err).toBe(0);
      expect(await life.machine.unit()).toMatchObject({ active: 'active', slot: OLD });
      expect((await life.machine.sh('ls /var/lib/carillon/journal.db')).code).toBe(0);
    });

    test('to an older release is refused, unless that is meant', async () => {
      bring(await signed(life.release, life.release.binary, 'ancient', { version: ANCIENT }), 'ancient');
      const words = ['upgrade', '/root/ancient', '--yes'];
      refused(await life.machine.carillon(...words), 65, /older than the running .* Give --allow-downgrade/);
      expect(await life.machine.unit()).toMatchObject({ active: 'active', slot: OLD });
      const meant = await life.machine.carillon(...words, '--allow-downgrade');
      expect(meant.code, meant.err).toBe(0);
      expect(await life.machine.unit()).toMatchObject({ active: 'active', slot: ANCIENT });
      expect((await life.machine.carillon('rollback', '--yes')).code).toBe(0);
      expect(await life.machine.unit()).toMatchObject({ active: 'active', slot: OLD });
    });
  });
