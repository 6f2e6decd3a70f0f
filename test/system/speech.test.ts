import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { boot, type Machine } from './support/machine.ts';
import { MACHINE_PACKAGES } from './support/machine-packages.ts';

/** Debian 12 with espeak-ng: what the service may do in its sandbox is enough to start it and to hear it out. */
const release = inject('release');
let machine: Machine;

beforeAll(async () => {
  machine = await boot('bookworm', MACHINE_PACKAGES.speech);
  machine.put(release.runFile, '/root/carillon.run');
  const ran = await machine.in(['sh', '/root/carillon.run', '--yes', '--no-selftest']);
  expect(ran.code, ran.err + ran.out).toBe(0);
  await machine.until(({ active }) => active === 'active', 60_000);
}, 400_000);
afterAll(() => machine?.off());

/** Findings of the page's self-test about speech: it runs in the service itself, not in another process as `carillon selftest`. */
async function spokenByService(): Promise<string> {
  const { pid } = await machine.unit();
  expect((await machine.sh(`grep -c 'Seccomp:.2' /proc/${pid}/status`)).out.trim(), 'a sandbox').toBe('1');
  const code = machine.read('/var/lib/carillon/technician-code').trim();
  const child = machine.beside([process.execPath, '-e', ASK, code]);
  for await (const line of createInterface({ input: child.stdout ?? process.stdin })) return line;
  throw new Error('the page did not answer');
}

/** In the network of the machine, by the page's own requests. */
const ASK = `
process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
const page = 'https://127.0.0.1:8443/technician/api';
const headers = { 'content-type': 'application/json', 'x-carillon': '1' };
(async () => {
  const body = JSON.stringify({ code: process.argv[1] });
  const signedIn = await fetch(page + '/session', { method: 'POST', headers, body });
  if (!signedIn.ok) throw new Error(await signedIn.text());
  headers.cookie = signedIn.headers.get('set-cookie').split(';')[0];
  const kept = async () => (await fetch(page + '/selftest', { headers })).json();
  const before = (await kept()).record?.at;
  const begun = await fetch(page + '/selftest', { method: 'POST', headers });
  if (!begun.ok) throw new Error(await begun.text());
  for (let tries = 0; tries < 600; tries++) {
    // Points are there while it runs; at its end, which may come between two looks, they are in the record.
    const { points, record } = await kept();
    const tts = [...points, ...(record && record.at !== before ? record.points : [])].find(({ id }) => id === 'tts');
    if (tts) return console.log(tts.verdict + ': ' + tts.found);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
})().catch((cause) => console.log(String(cause)));
`;

test('the service speaks by espeak-ng', async () => {
  const unit = (await machine.sh('systemctl show carillon-appliance -p SystemCallFilter -p ProtectSystem'))
    .out;
  expect(unit).toMatch(/ProtectSystem=strict/);
  expect(unit).toMatch(/SystemCallFilter=\w/);
  expect(await spokenByService()).toMatch(/^ok: \d+\.\d s spoken in \d+ ms by espeak \(en/);
});

test('speech comes from its own voice where the sandbox lets no program be started', async () => {
  // Effect of a filter that is too tight: the words still come, and the self-test says by whom.
  machine.write(
    '/etc/systemd/system/carillon-appliance.service.d/90-tight.conf',
    '[Service]\nInaccessiblePaths=/usr/bin/espeak-ng\n',
  );
  await machine.sh('systemctl daemon-reload && systemctl restart carillon-appliance');
  await machine.until(({ active }) => active === 'active', 60_000);
  expect(await spokenByService()).toMatch(/^ok: .* by embedded \(/);
});
