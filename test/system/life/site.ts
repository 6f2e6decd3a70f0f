import type { ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { afterAll, describe, expect, test } from 'vitest';
import { type Life, refused } from './stage.ts';

/** Enrolment, an alarm through the installed service, and what leaves the site. */
export const siteHost = (life: Life) =>
  describe('a host of a site', () => {
    let cloud: ChildProcess | undefined;
    const said: Record<string, unknown>[] = [];

    afterAll(() => void cloud?.kill());

    test('gets a sentence that says why it cannot enrol', async () => {
      refused(await life.machine.carillon('enrol'), 64, /claim code/);
      refused(await life.machine.carillon('enrol', 'ABCDE-12345'), 64, /--cloud/);
      refused(
        await life.machine.carillon('enrol', 'ABCDE-12345', '--cloud', 'https://cloud.invalid'),
        75,
        /cannot be reached/,
      );
      life.machine.write('/root/claim.json', '{"kind":"something"}');
      refused(await life.machine.carillon('enrol', '--file', '/root/claim.json'), 65, /not a claim file/);
      // The code is kept: the service goes on trying, and serves.
      expect(life.machine.read('/etc/carillon/appliance.toml')).toContain('claim = "ABCDE12345"');
      await life.machine.until(({ active }) => active === 'active', 30_000);
    });

    test('enrols by a code, which is good once', async () => {
      cloud = life.machine.beside([process.execPath, 'test/system/support/control-plane.ts', life.folder]);
      const lines = createInterface({ input: cloud.stdout ?? process.stdin });
      lines.on('line', (line) => line.startsWith('{') && said.push(JSON.parse(line)));
      await expect.poll(() => said.some(({ ready }) => ready === true), { timeout: 60_000 }).toBe(true);
      const { claimCode, ca } = said.find(({ ready }) => ready === true) as { claimCode: string; ca: string };
      life.machine.put(ca, '/etc/carillon/trust.pem');
      await life.machine.sh(
        'chown root:carillon /etc/carillon/trust.pem && chmod 640 /etc/carillon/trust.pem',
      );
      const words = ['--trust', '/etc/carillon/trust.pem', '--allow-private', '127.0.0.0/8,::1/128'];
      const set = await life.machine.carillon(
        'configure',
        '--yes',
        '--address',
        '127.0.0.1',
        '--claim',
        '0000000000',
        ...words,
      );
      expect(set.code, set.err).toBe(0);
      refused(
        await life.machine.carillon('enrol', '0000000000', '--cloud', 'http://127.0.0.1:8080'),
        76,
        /refused/,
      );
      const enrolled = await life.machine.carillon('enrol', claimCode, '--cloud', 'http://127.0.0.1:8080');
      expect(enrolled.code, enrolled.err + enrolled.out).toBe(0);
      expect(enrolled.out).toContain('demo.carillon.test');
      const again = await life.machine.carillon('enrol', claimCode);
      expect(again.out).toContain('is enrolled');
      // As another machine with the same code.
      await life.machine.sh(
        'mv /var/lib/carillon/identity.json /root/; mv /var/lib/carillon/host.key /root/',
      );
      refused(await life.machine.carillon('enrol', claimCode), 76, /refused/);
      await life.machine.sh(
        'systemctl stop carillon-appliance; rm -f /var/lib/carillon/host.key; mv /root/identity.json /root/host.key /var/lib/carillon/; systemctl start carillon-appliance',
      );
    });

    test('takes an alarm to the application and notifies the device', async () => {
      await life.machine.until(({ active }) => active === 'active', 30_000);
      const to = ['--to', '127.0.0.1:5060', '--domain', 'demo.carillon.test', '--receiver', 'scaip'];
      const deadline = Date.now() + 30_000;
      let ran = await life.machine.carillon('simulate', 'scaip', ...to, '--device', 'scaip-0001');
      // The tenant's configuration comes a moment after the enrolment.
      while (ran.code !== 0 && Date.now() < deadline)
        ran = await life.machine.carillon('simulate', 'scaip', ...to, '--device', 'scaip-0001');
      expect(ran.code, ran.err + ran.out).toBe(0);
      expect(said.some(({ alarm, verified }) => alarm === '/newAlarmbridgeEvent' && verified === true)).toBe(
        true,
      );
      const tested = await life.machine.carillon('test-alarm', '--device', 'scaip-0001');
      expect(tested.code, tested.err).toBe(0);
    });

    test('shows how it is, and gives away no secret', async () => {
      const status = await life.machine.carillon('status');
      expect(status.code, status.err).toBe(0);
      expect(status.out).toMatch(/demo.*demo\.carillon\.test/);
      expect(status.out).toMatch(/\d{4}-\d{4}/);
      const tested = await life.machine.carillon('selftest', '--lang', 'de');
      expect(tested.code, tested.out).toBe(0);
      expect(tested.out).toContain('Selbsttest');
      expect(tested.out).toContain('Die Leitstelle hat das Protokoll.');
      const logged = await life.machine.sh('journalctl -o json CARILLON_PROGRAM=appliance -p info -n 1');
      expect(JSON.parse(logged.out)).toMatchObject({ _SYSTEMD_UNIT: 'carillon-appliance.service' });
      // Each detail of a line is a field that can be asked for.
      const applied = await life.machine.sh(
        'journalctl -o json CARILLON_KIND=snapshot CARILLON_KIND=delta -n 1',
      );
      expect(JSON.parse(applied.out)).toMatchObject({
        MESSAGE: expect.stringMatching(
          /^{.*"event":"configuration\.applied","text":"Applied a configuration"/,
        ),
        CARILLON_EVENT: 'configuration.applied',
        CARILLON_PROGRAM: 'appliance',
        SYSLOG_IDENTIFIER: 'carillon',
        PRIORITY: '6',
        _SYSTEMD_UNIT: 'carillon-appliance.service',
      });
      const planted = 'echo caller +46701234567 password=hunter2hunter2';
      await life.machine.sh(`systemd-run --wait --unit=carillon-planted sh -c '${planted}'`);
      const bundle = await life.machine.carillon('support-bundle', '-o', '/root/bundle.tar.gz');
      expect(bundle.code, bundle.err).toBe(0);
      const all = (await life.machine.sh('tar -xzOf /root/bundle.tar.gz')).out;
      const secrets = [
        /claim = "(.+)"/.exec(life.machine.read('/etc/carillon/appliance.toml'))?.[1] ?? '',
        life.machine.read('/var/lib/carillon/technician-code').trim(),
        ...['host.key', 'site.key'].map(
          (name) => life.machine.read(`/var/lib/carillon/${name}`).split('\n')[1] ?? '',
        ),
        String(JSON.parse(life.machine.read('/var/lib/carillon/seal.key')).d),
        '46701234567',
        'hunter2hunter2',
      ];
      for (const [number, secret] of secrets.entries()) {
        expect(secret.length, `secret ${number} is known`).toBeGreaterThan(7);
        expect(all.includes(secret), `secret ${number} is in the bundle`).toBe(false);
      }
      expect(all).toContain('caller …567');
      expect(all).toContain('carillon-support-bundle');
      expect((await life.machine.sh('tar -tzf /root/bundle.tar.gz')).out).toMatch(/journal\.txt/);
    });
  });
