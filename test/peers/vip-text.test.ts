import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { networkInterfaces, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';
import { keepalivedText, layout, type VipPlace } from '#installer/plan/index.ts';

/** keepalived of Debian reads what `carillon configure` writes for it: `keepalived --config-test`. */
const folder = mkdtempSync(join(tmpdir(), 'vip-text-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** One that is there, and not the loopback one, which it refuses. */
const [name = 'eth0'] = Object.entries(networkInterfaces()).flatMap(([each, addresses]) =>
  addresses?.some(({ internal }) => !internal) ? [each] : [],
);

const place = (vip: string, own: string, other: string): VipPlace => ({
  vip,
  interface: name,
  routerId: 51,
  own,
  hosts: [
    { address: own, priority: 150 },
    { address: other, priority: 100 },
  ],
  webPort: 8443,
});
const four = place('192.0.2.10/24', '192.0.2.11', '192.0.2.12');
const six = place('2001:db8::10/64', '2001:db8::11', '2001:db8::12');

/** Its complaints; the user of the product and its script are not on this host. */
async function complaints(text: string): Promise<string> {
  const file = join(folder, 'keepalived.conf');
  const here = text
    .replaceAll(layout.vipCheck, resolve(import.meta.dirname, '../../systemd/vip/vip-check.sh'))
    .replaceAll('script_user nobody', 'script_user root')
    .replaceAll(/" carillon$/gm, '" root');
  writeFileSync(file, here, { mode: 0o600 });
  const words = [`--use-file=${file}`, '--config-test'];
  const ran = promisify(execFile)('keepalived', words).then(
    ({ stdout, stderr }) => ({ code: 0, said: stdout + stderr }),
    (cause: { code: number; stdout: string; stderr: string }) => ({
      code: cause.code,
      said: cause.stdout + cause.stderr,
    }),
  );
  const { code, said } = await ran;
  return code === 0 ? '' : `${code}: ${said}`;
}

describe('keepalived', () => {
  test.each([
    ['IPv4', four],
    ['IPv6', six],
    ['IPv6, the address alone', { ...six, vip: '2001:db8::10/128' }],
  ])('takes the text for %s', async (_, of) => {
    expect(await complaints(keepalivedText(of))).toBe('');
  });

  test('takes no text of two families, which is why such a request is refused', async () => {
    const mixed = keepalivedText({ ...six, vip: '192.0.2.10/24' });
    expect(await complaints(mixed)).not.toBe('');
  });
});
