import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { openVip } from '#appliance/compose/vip.ts';
import { answerHealth } from '#appliance/io/site-listener/index.ts';
import { demoAuthority } from '#installer/io/demo-authority.ts';

const CHECK = resolve(import.meta.dirname, '../../systemd/vip/vip-check.sh');
const HERE = '127.0.0.1';

type Says = 'yes' | 'no' | 'nothing';

/** The page of a host, as the appliance answers it. */
interface Page {
  says: Says;
  readonly port: number;
  asked: number;
  readonly close: () => Promise<void>;
}

const folder = mkdtempSync(join(tmpdir(), 'vip-check-'));
const run = join(folder, 'run');
const serving = join(run, 'serving');
let certificate: { readonly cert: string; readonly key: string };
let own: Page;
let other: Page;

beforeAll(async () => {
  mkdirSync(run);
  certificate = await (await demoAuthority(folder)).issue([HERE]);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

beforeEach(async () => {
  [own, other] = [await page(), await page()];
  await openVip(run).look(true);
});
afterEach(async () => {
  await own.close();
  await other.close();
});

test('a host that says each second that it serves has the address, and no other host is asked', async () => {
  own.says = other.says = 'yes';
  expect(await mayHave()).toBe(true);
  expect([own.asked, other.asked]).toEqual([0, 0]);
});

test.each([
  // own, the other, may have it
  ['yes', 'yes', true],
  ['no', 'yes', false],
  ['nothing', 'yes', false],
  // Both are late, or neither can write: one of them still has it.
  ['no', 'no', true],
  ['nothing', 'no', true],
  ['nothing', 'nothing', true],
] as const)('its word is old, it says %s and the other one %s: %s', async (ours, theirs, may) => {
  grownOld();
  [own.says, other.says] = [ours, theirs];
  expect(await mayHave()).toBe(may);
});

test('a host that has given its word away has the address only while no other can', async () => {
  rmSync(serving);
  [own.says, other.says] = ['no', 'yes'];
  expect(await mayHave()).toBe(false);
  await other.close();
  expect(await mayHave()).toBe(true);
});

test('a host whose appliance has ended gives the address away at once, whatever the other one says', async () => {
  const [, at] = readFileSync(serving, 'utf8').split(' ');
  writeFileSync(serving, `4194305 ${at}`);
  await own.close();
  for (const says of ['yes', 'no', 'nothing'] as const) {
    other.says = says;
    expect(await mayHave()).toBe(false);
  }
});

test('a process that another number space hides is asked, and believed', async () => {
  const [, at] = readFileSync(serving, 'utf8').split(' ');
  writeFileSync(serving, `4194305 ${at}`);
  own.says = 'yes';
  expect(await mayHave()).toBe(true);
  expect(own.asked).toBe(1);
});

test('without the name of another host a late one gives the address away', async () => {
  grownOld();
  own.says = 'nothing';
  expect(await mayHave([])).toBe(false);
});

test('one of several others that can have it is enough', async () => {
  grownOld();
  own.says = 'no';
  const third = await page();
  third.says = 'yes';
  expect(await mayHave([`${HERE}:${other.port}`, `${HERE}:${third.port}`])).toBe(false);
  await third.close();
  expect(await mayHave([`${HERE}:${other.port}`, `${HERE}:${third.port}`])).toBe(true);
});

/** The loop of the appliance has not come round for three seconds. */
function grownOld(): void {
  const [pid, at] = readFileSync(serving, 'utf8').trim().split(' ');
  writeFileSync(serving, `${pid} ${Number(at) - 4}\n`);
}

async function mayHave(others: readonly string[] = [`${HERE}:${other.port}`]): Promise<boolean> {
  const check = spawn('sh', [CHECK, String(own.port), run, ...others], { stdio: 'ignore' });
  const [code] = (await once(check, 'exit')) as [number];
  expect([0, 1]).toContain(code);
  return code === 0;
}

async function page(): Promise<Page> {
  const server: Server = createServer(certificate, (request, response) => {
    made.asked++;
    if (made.says === 'nothing') return;
    const facts = { reasons: () => [], mayHaveAddress: () => made.says === 'yes', figures: () => ({}) };
    const { status } = answerHealth(new Request(`https://${HERE}${request.url}`), facts);
    response.writeHead(status).end();
  });
  server.listen(0, HERE);
  await once(server, 'listening');
  const made: Page = {
    says: 'nothing',
    port: (server.address() as AddressInfo).port,
    asked: 0,
    close: async () => {
      if (!server.listening) return;
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
  return made;
}
