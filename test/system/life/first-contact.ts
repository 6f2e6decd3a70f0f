import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Life, RUN, refused } from './stage.ts';

/** A stick at a machine before anything is installed. */
export const firstContact = (life: Life) =>
  describe('first contact', () => {
    test('refuses a user that is not root', async () => {
      await life.machine.sh(
        `cp ${RUN} /tmp/c.run; chmod 644 /tmp/c.run; cp /root/carillon /tmp/c; chmod 755 /tmp/c`,
      );
      refused(await life.machine.sh('setpriv --reuid 65534 --clear-groups sh /tmp/c.run'), 77, /root/);
      refused(await life.machine.sh('setpriv --reuid 65534 --clear-groups /tmp/c install --yes'), 77, /sudo/);
    });

    test('refuses a machine of another CPU', async () => {
      const faked =
        "mkdir -p /tmp/f; printf '#!/bin/sh\\necho aarch64\\n' >/tmp/f/uname; chmod 755 /tmp/f/uname";
      refused(
        await life.machine.sh(`${faked}; PATH=/tmp/f:$PATH sh ${RUN}; code=$?; rm -r /tmp/f; exit $code`),
        65,
        /aarch64/,
      );
    });

    test('refuses an old C library', async () => {
      const faked =
        "mkdir -p /tmp/f; printf '#!/bin/sh\\necho glibc 2.31\\n' >/tmp/f/getconf; chmod 755 /tmp/f/getconf";
      refused(
        await life.machine.sh(`${faked}; PATH=/tmp/f:$PATH sh ${RUN}; code=$?; rm -r /tmp/f; exit $code`),
        69,
        /2\.34/,
      );
    });

    test('refuses a machine without systemd', async () => {
      const hidden = 'unshare -m sh -c "mount -t tmpfs none /run/systemd';
      refused(await life.machine.sh(`${hidden} && sh ${RUN}"`), 69, /systemd/);
      refused(await life.machine.sh(`${hidden} && /root/carillon install --yes"`), 69, /systemd/);
    });

    test('refuses a full disk', async () => {
      const small = 'unshare -m sh -c "mount -t tmpfs -o size=100m none /opt';
      refused(await life.machine.sh(`${small} && sh ${RUN}"`), 74, /400 MB/);
      refused(await life.machine.sh(`${small} && /root/carillon install --yes"`), 74, /\/opt/);
    });

    test('refuses a damaged file', async () => {
      const bytes = readFileSync(life.release.runFile);
      bytes[bytes.length - 100_000] = (bytes[bytes.length - 100_000] ?? 0) ^ 0xff;
      writeFileSync(join(life.folder, 'damaged.run'), bytes);
      life.machine.put(join(life.folder, 'damaged.run'), '/root/damaged.run');
      refused(await life.machine.in(['sh', '/root/damaged.run', '--yes']), 65, /damaged/);
      writeFileSync(join(life.folder, 'short.run'), bytes.subarray(0, 1_000_000));
      life.machine.put(join(life.folder, 'short.run'), '/root/short.run');
      refused(await life.machine.in(['sh', '/root/short.run', '--yes']), 65, /damaged/);
      await life.machine.sh('rm -f /root/damaged.run /root/short.run');
    });

    test('refuses wrong answers, and asks nothing without a terminal', async () => {
      life.machine.write('/root/bad.toml', 'sip_upd = "0.0.0.0:5060"\n');
      refused(
        await life.machine.in(['/root/carillon', 'install', '--yes', '--answers', '/root/bad.toml']),
        78,
        /sip_upd/,
      );
      life.machine.write('/root/bad.toml', 'sip_udp = "everywhere"\n');
      refused(
        await life.machine.in(['/root/carillon', 'install', '--yes', '--answers', '/root/bad.toml']),
        78,
        /everywhere/,
      );
      life.machine.write('/root/bad.toml', 'sip_udp = \n');
      refused(
        await life.machine.in(['/root/carillon', 'install', '--yes', '--answers', '/root/bad.toml']),
        78,
        /line 1/,
      );
      refused(await life.machine.in(['/root/carillon', 'install']), 64, /--yes/);
      refused(await life.machine.in(['/root/carillon', 'install', '--no-such-flag']), 64, /no-such-flag/);
    });

    test('names the program that holds a port, and continues where the person says so', async () => {
      await life.machine.sh(
        'systemd-run --unit=squatter systemd-socket-activate --datagram -l 5060 /bin/cat',
      );
      const taken = await life.machine.in(['/root/carillon', 'preflight', '--lang', 'sv']);
      refused(taken, 69, /5060 \(udp\) används av systemd/);
      await life.machine.sh('systemctl stop squatter');
    });

    test('knows the sign-in page of a guest network, and a wrong clock', async () => {
      const server = `const { createServer } = require('node:http');
        createServer((_, a) => a.end('<html>Welcome, please sign in</html>')).listen(8081, '127.0.0.1');
        createServer((_, a) => a.setHeader('date', 'Mon, 01 Jan 2001 00:00:00 GMT').end('{"success":true}')).listen(8082, '127.0.0.1', () => console.log('up'));`;
      const beside = life.machine.beside([process.execPath, '-e', server]);
      await new Promise((resolve) => beside.stdout?.once('data', resolve));
      const found = async (cloud: string): Promise<Record<string, string>> => {
        const { out } = await life.machine.in(['/root/carillon', 'preflight', '--json', '--cloud', cloud]);
        const lines = out.split('\n').filter((line) => line.startsWith('{"check"'));
        return Object.fromEntries(
          lines
            .map((line) => JSON.parse(line))
            .map(({ check, verdict, found: what }) => [check, `${verdict} ${what}`]),
        );
      };
      const portal = await found('http://127.0.0.1:8081');
      expect(portal.cloud).toMatch(/^warning .*sign-in|^warning .*200/);
      const wrong = await found('http://127.0.0.1:8082');
      expect(wrong.cloud).toMatch(/^ok/);
      expect(wrong.clock).toMatch(/^warning/);
      const nowhere = await found('https://cloud.invalid');
      expect(nowhere.dns).toMatch(/^warning/);
      beside.kill();
    });

    test('only looks when it shall only look', async () => {
      const before = await life.machine.sh('ls -laR /opt /etc /var/lib | md5sum');
      const ran = await life.machine.in(['/root/carillon', 'install', '--dry-run', '--json']);
      expect(ran.code, ran.err).toBe(0);
      const steps = ran.out
        .split('\n')
        .flatMap((line) => (line.startsWith('{"plan"') ? [JSON.parse(line).step] : []));
      expect(steps).toEqual([
        'slot',
        'user',
        'units',
        'current',
        'folders',
        'configuration',
        'service',
        'ready',
      ]);
      expect((await life.machine.sh('ls -laR /opt /etc /var/lib | md5sum')).out).toBe(before.out);
    });
  });
