import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { XMLParser } from 'fast-xml-parser';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { rehearsalPage, SITUATIONS } from '#appliance/rehearsal/index.ts';
import { createHandler } from '#sdk/js/src/callback/index.ts';
import { nodeListener } from '#sdk/js/src/node.ts';

/* The command as a person starts it, against an application that speaks plain http on this machine. */

const ROOT = join(import.meta.dirname, '../../../..');
let folder: string;
let server: Server | undefined;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'carillon-rehearse-'));
});
afterEach(async () => {
  server?.closeAllConnections();
  await new Promise((resolve) => (server === undefined ? resolve(undefined) : server.close(resolve)));
  server = undefined;
  rmSync(folder, { recursive: true, force: true });
});

interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}
const carillon = (...words: string[]): Promise<Ended> =>
  new Promise((resolve) => {
    const command = [join(ROOT, 'installer/bin.ts'), 'rehearse', ...words, '--data', folder];
    execFile(process.execPath, command, { cwd: folder }, (cause, out, err) =>
      resolve({ code: cause === null ? 0 : Number(cause.code), out, err }),
    );
  });

/** An application that reads the key which the command has made; `decides` answers alarms. */
async function application(decides = true): Promise<string> {
  server = createServer();
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server?.once('listening', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  // The first use makes the keys; the application is started with them.
  await carillon('--callback', 'http://127.0.0.1:9', '--only', 'twice');
  const keys = ['key', 'next-key'].map((name) => ({
    algorithm: 'ES256' as const,
    publicKey: readFileSync(join(folder, 'rehearsal', `${name}.pub.pem`), 'utf8'),
  }));
  server.on(
    'request',
    nodeListener(
      createHandler({
        ...{ keys, audience: url, domain: 'rehearsal.carillon.test', onFailure: () => undefined },
        on: { newAlarmbridgeEvent: () => (decides ? { action: 'drop' } : ({} as { action: 'drop' })) },
        other: () => ({ success: true }),
      }),
    ),
  );
  return url;
}

describe('carillon rehearse', () => {
  it('passes an application over plain http, and says what cannot happen to it', async () => {
    const url = await application();
    const { code, out, err } = await carillon('--callback', url);
    expect(out).toContain('39 of 39 situations went well; 1 cannot happen to this application.');
    expect(err).toContain(`aud ${url}, iss rehearsal.carillon.test`);
    expect(code).toBe(0);
  }, 120_000);

  it('names the fault, the mend and the page, and ends with 3', async () => {
    const url = await application(false);
    const junit = join(folder, 'report.xml');
    const { code, out, err } = await carillon(
      '--callback',
      url,
      '--only',
      'twice,wrong-tenant',
      '--junit',
      junit,
    );
    expect(code).toBe(3);
    expect(out).toMatch(
      /✗ twice +It answered 200, but the answer has no action\.\n {4}sent .*\n {4}expected .*\n {4}mend .*\n {4}read {6}docs\/rehearsal\.md#twice, sdk\/README\.md#/,
    );
    expect(out).toContain('1 of 2 situations went well.');
    expect(err).toContain('One situation did not go well.');
    const { testsuites } = new XMLParser({ ignoreAttributes: false }).parse(readFileSync(junit, 'utf8'));
    expect(testsuites.testsuite).toMatchObject({ '@_tests': '2', '@_failures': '1', '@_skipped': '0' });
    expect(testsuites.testsuite.testcase[0]).toMatchObject({
      '@_name': 'twice',
      failure: { '@_message': 'It answered 200, but the answer has no action.' },
    });
  }, 60_000);

  it('gives a program one JSON object', async () => {
    const url = await application();
    const { code, out } = await carillon('--callback', url, '--only', 'outage', '--json');
    expect(JSON.parse(out)).toMatchObject({
      ...{ target: url, passed: 1, failed: 0, notApplicable: 0 },
      situations: [{ name: 'outage', verdict: 'passed', page: 'docs/rehearsal.md#outage' }],
    });
    expect(code).toBe(0);
  }, 60_000);
});

describe('bad input has a sentence', () => {
  it.each([
    [
      ['--callback', 'http://127.0.0.1:9'],
      75,
      /cannot be reached at http:\/\/127\.0\.0\.1:9: .*Start it, and rehearse again\./,
    ],
    [['--callback', 'http://192.0.2.1:3000'], 64, /plain http is for this machine only/],
    [['--callback', 'app.example'], 64, /no URL; write https:\/\/HOST\/PATH/],
    [[], 64, /The address is missing: add --callback/],
    [['--callback', 'http://localhost:1', '--only', 'twce'], 64, /--only twce: there is no such situation/],
    [
      ['--callback', 'http://localhost:1', '--key', '/nowhere.pem'],
      65,
      /\/nowhere\.pem cannot be read: there is no such file/,
    ],
  ])(
    '%j',
    async (words, code, sentence) => {
      const ended = await carillon(...words);
      expect(ended.err).toMatch(sentence);
      expect(ended.err).not.toMatch(/TypeError|E[A-Z]{4,}|\n {4}at /);
      expect(ended.code).toBe(code);
    },
    60_000,
  );

  it('an application that knows another key', async () => {
    const url = await application();
    const { code, err } = await carillon('--callback', url, '--domain', 'another.example');
    expect(err).toMatch(
      /Your application refuses a callback that is signed well \(401 .*Give it the ES256 key .*key\.pub\.pem, audience http.* and tenant another\.example/,
    );
    expect(code).toBe(78);
  }, 60_000);
});

describe('the page of the documentation', () => {
  const page = readFileSync(join(ROOT, 'docs/rehearsal.md'), 'utf8');

  it('is that of the table (npx carillon rehearse --list --markdown > docs/rehearsal.md)', () => {
    expect(page).toBe(rehearsalPage());
  });

  it.each(SITUATIONS.map(({ name, rule }) => [name, rule]))(
    '%s stands under a heading that exists: %s',
    (name, rule) => {
      const [file = '', anchor = ''] = rule.split('#');
      const anchors = readFileSync(join(ROOT, file), 'utf8')
        .split('\n')
        .flatMap((line) => /^#+ (.*)$/.exec(line)?.[1] ?? [])
        .map((heading) =>
          heading
            .toLowerCase()
            .replace(/[^\w\- ]/g, '')
            .replaceAll(' ', '-'),
        );
      expect(anchors).toContain(anchor);
      expect(page).toContain(`### ${name}\n`);
    },
  );
});
