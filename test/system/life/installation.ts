import { describe, expect, test } from 'vitest';
import { begins } from '../support/machine.ts';
import { JOURNAL, type Life, refused } from './stage.ts';

/** From the first step to a service that answers, cut at each. */
export const installation = (life: Life) =>
  describe('installation', () => {
    test('that is cut at every step is continued', async () => {
      for (const step of [
        'slot',
        'user',
        'units',
        'current',
        'folders',
        'configuration',
        'service',
        'ready',
      ]) {
        const argv = ['/root/carillon', 'install', '--yes', '--json', '--no-selftest'];
        await life.machine.cut(argv, begins(step));
        expect(life.machine.read(JOURNAL), step).toContain(`{"step":"${step}","state":"begun"}`);
      }
      const last = await life.install('--no-selftest');
      expect(last.code, last.err + last.out).toBe(0);
      expect(last.out).toContain('continued');
      expect(life.machine.read(JOURNAL).trim()).toMatch(/"end":"done"\}$/);
    });

    test('is READY and passes its self-test', async () => {
      await life.machine.until(({ active }) => active === 'active', 30_000);
      const ms = await life.machine.readyAfterMs();
      const ran = await life.machine.carillon('selftest', '--json');
      expect(ran.code, ran.out).toBe(0);
      const kept = JSON.parse(life.machine.read('/var/lib/carillon/self-test.json'));
      expect(kept).toMatchObject({ passed: true, release: life.release.version });
      console.log(`READY after ${Math.round(ms)} ms`);
    });

    test('changes nothing the second time', async () => {
      const pid = (await life.machine.unit()).pid;
      const again = await life.install('--no-selftest');
      expect(again.code, again.err).toBe(0);
      expect(again.out).toContain('changed=0');
      expect((await life.machine.unit()).pid).toBe(pid);
    });

    test('says that a build holds no release key, and how upgrades are taken nevertheless', async () => {
      const keys = `/opt/carillon/releases/${life.release.version}/assets/installer/io/release-keys.pub`;
      life.machine.write(keys, '# nobody has made a key yet\n');
      refused(
        await life.machine.carillon('upgrade', '/root/carillon', '--yes'),
        65,
        /holds no release key.*Install a released build over it \(sh carillon-….run\)/,
      );
      await life.machine.sh(`rm ${keys}`);
    });

    test('is in service again after kill -9', async () => {
      const { pid } = await life.machine.unit();
      await life.machine.sh('systemctl kill -s KILL carillon-appliance.service');
      const ms = await life.machine.until((unit) => unit.active === 'active' && unit.pid !== pid, 30_000);
      console.log(`in service again after kill -9: ${Math.round(ms)} ms`);
    });

    test('takes back a configuration that the service refuses', async () => {
      const before = life.machine.read('/etc/carillon/appliance.toml');
      const refusal = await life.machine.carillon(
        'configure',
        '--yes',
        '--tls-cert',
        '/no/such.pem',
        '--tls-key',
        '/no/such.key',
      );
      expect(refusal.code, refusal.err).not.toBe(0);
      expect(refusal.err).toMatch(/taken back/);
      expect(life.machine.read('/etc/carillon/appliance.toml')).toBe(before);
      await life.machine.until(({ active }) => active === 'active', 30_000);
    });

    test('serves although no program may run below /run', async () => {
      await life.machine.sh('mount -o remount,noexec /run && systemctl restart carillon-appliance.service');
      await life.machine.until(({ active }) => active === 'active', 30_000);
      const ran = await life.machine.carillon('preflight', '--json');
      expect(ran.out).toMatch(/"check":"noexec","verdict":"warning","found":"\/run"/);
      await life.machine.sh('mount -o remount,exec /run');
    });
  });
