import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { releaseOperation } from '#appliance/compose/release.ts';
import type { Download } from '#appliance/io/http/index.ts';
import { requestFolder } from '#appliance/io/system/index.ts';
import { releaseRequestSchema } from '#shared/contract/feed/index.ts';
import { fail, ok } from '#shared/result.ts';

const URL = 'https://releases.example/x/carillon-1.2.0-x64.run';
const FILE = 'carillon-1.2.0-x64.run';

let data: string;
let folder: string;
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'carillon-release-'));
  folder = join(data, 'request');
});
afterEach(() => rmSync(data, { recursive: true, force: true }));

/** An appliance whose downloads come when the test says so. */
function appliance(place: string | null = folder) {
  const asked: { readonly url: string; readonly end: (how: Awaited<ReturnType<Download>>) => void }[] = [];
  const reported: unknown[] = [];
  let work = Promise.resolve<unknown>(undefined);
  const upgrade = releaseOperation({
    folder: place ?? undefined,
    download: (url, path) =>
      new Promise((resolve) => {
        asked.push({
          url,
          end: (how) => {
            if (how.ok) writeFileSync(path, url);
            resolve(how);
          },
        });
      }),
    tell: async (note) => void reported.push(note),
    running: '1.1.0',
    wallMs: () => 1_770_000_000_000,
    log: () => undefined,
    run: (part) => {
      work = part;
    },
  });
  const ask = (url: string = URL) => Promise.resolve(upgrade({ args: { url }, by: 'user:anna' }));
  /** The download number `at`, once it was asked for. */
  const come = async (at: number, how: Awaited<ReturnType<Download>>): Promise<void> => {
    await expect.poll(() => asked.length).toBeGreaterThan(at);
    asked[at]?.end(how);
  };
  return { ask, asked, told: reported, come, over: () => work };
}

describe('a release that the site is asked to take', () => {
  it('is laid before root whole, the request last', async () => {
    const { ask, asked, come, over, told: reported } = appliance();
    const answer = ask();
    await come(0, ok(300));
    expect(await answer).toEqual({ ok: true, value: { file: FILE } });
    expect(asked.map(({ url }) => url)).toEqual([`${URL}.minisig`, URL]);
    expect(readdirSync(folder)).toEqual([`${FILE}.minisig`]);
    await come(1, ok(40_000_000));
    await over();
    expect(readdirSync(folder).sort()).toEqual([FILE, `${FILE}.minisig`, 'wanted.json']);
    const request = releaseRequestSchema.parse(JSON.parse(readFileSync(join(folder, 'wanted.json'), 'utf8')));
    expect(request).toEqual({ v: 1, kind: 'upgrade', file: FILE, by: 'user:anna', at: 1_770_000_000_000 });
    expect(reported).toEqual([]);
    // Until root has taken it, no other.
    expect(await ask()).toMatchObject({ ok: false, code: 'conflict' });
  });

  it('is refused at once when its signature does not come', async () => {
    const { ask, come } = appliance();
    const answer = ask();
    await come(0, fail('unreachable', 'answered 404'));
    expect(await answer).toMatchObject({ ok: false, reason: 'its signature did not come: answered 404' });
    expect(existsSync(folder)).toBe(false);
  });

  it('is reported when its transfer breaks off, leaves nothing, and may be asked for again', async () => {
    const { ask, come, over, told: reported } = appliance();
    const answer = ask();
    await come(0, ok(300));
    expect(await answer).toMatchObject({ ok: true });
    expect(await ask()).toMatchObject({ ok: false, code: 'conflict' });
    await come(1, fail('connectionLost', 'the connection broke'));
    await over();
    expect(existsSync(folder)).toBe(false);
    const sentence = 'It did not come: the connection broke. Ask again.';
    expect(reported).toEqual([
      { kind: 'upgrade', file: FILE, by: 'user:anna', code: 75, sentence, release: '1.1.0' },
    ]);
    const again = ask();
    await come(2, ok(300));
    expect(await again).toMatchObject({ ok: true });
  });

  it('finds an empty folder, whatever an earlier life has left', async () => {
    mkdirSync(folder);
    writeFileSync(join(folder, 'half'), 'x');
    const { ask, come } = appliance();
    const answer = ask();
    await come(0, ok(300));
    await answer;
    expect(readdirSync(folder)).toEqual([`${FILE}.minisig`]);
  });

  it.each(['http://releases.example/x', 'https://releases.example/', 'https://releases.example/a%2Fb', 'x'])(
    'is refused when its address is %s',
    async (url) => {
      expect(await appliance().ask(url)).toMatchObject({ ok: false, code: 'invalid' });
    },
  );

  it('is refused where no service with root would ever look', async () => {
    expect(requestFolder('/var/lib/carillon', { STATE_DIRECTORY: '/var/lib/carillon' })).toBe(
      '/var/lib/carillon/request',
    );
    expect(requestFolder('./.carillon', {})).toBeUndefined();
    expect(requestFolder('/elsewhere', { STATE_DIRECTORY: '/var/lib/carillon' })).toBeUndefined();
    expect(await appliance(null).ask()).toMatchObject({ ok: false, code: 'noMaintenance' });
  });
});
