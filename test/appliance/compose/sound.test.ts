import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openPromptFiles } from '#appliance/compose/prompt.ts';
import { openSound } from '#appliance/compose/sound.ts';
import type { ApplianceConfig } from '#appliance/config.ts';
import type { FeedSource, TenantModel } from '#appliance/replica/index.ts';
import type { Damage } from '#appliance/site/supervision/index.ts';
import { ok } from '#shared/result.ts';
import { DEFAULT_RETENTION } from '#shared/setting/index.ts';
import { sine, wavOf } from '#test/appliance/io/prompt/sound.ts';
import { testAppliance } from '#test/support/appliance.ts';

let folder: string;
let named: ReturnType<typeof promptFile>['row'][];
let sound: ReturnType<typeof openSound>;
let promptFiles: ReturnType<typeof openPromptFiles>;
const logged: string[] = [];
let damages: Damage[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'carillon-compose-sound-'));
  const none = { dc09: [], commandQueue: [], peer: [] };
  const listeners = { http: { all: [] }, sip: { udp: [], tcp: [], tls: [], wss: [] }, ...none };
  const config = { ...listeners, data: folder, allowPrivate: [], retention: DEFAULT_RETENTION };
  named = [];
  damages = [];
  const log = (_level: string, event: string): void => void logged.push(event);
  promptFiles = openPromptFiles(config as unknown as ApplianceConfig, { trustPem: undefined, log });
  sound = openSound(config as unknown as ApplianceConfig, {
    ...{ trustPem: undefined, log, promptFiles },
    site: {
      get tenant() {
        return { promptFiles: named } as unknown as TenantModel;
      },
      identity: undefined,
      tenantRevision: 0,
    },
    damaged: (found) => void damages.push(found),
  });
});
afterEach(async () => {
  await sound.close();
  await promptFiles.prompts.close();
  rmSync(folder, { recursive: true, force: true });
});

function promptFile(name: string, hz: number) {
  const bytes = wavOf(sine(hz, 0.2, 8_000), 8_000);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { bytes, row: { name, sha256, size: bytes.length, format: 'wav' as const } };
}

const present = () => readdirSync(join(folder, 'prompt'));
/** A file that was named last so long ago. */
function lies({ row, bytes }: ReturnType<typeof promptFile>, days: number): void {
  const path = join(folder, 'prompt', row.sha256);
  writeFileSync(path, bytes);
  utimesSync(path, Date.now() / 1_000 - days * 86_400, Date.now() / 1_000 - days * 86_400);
}

it('unnamed prompt files go when another set comes, and those in use stay', async () => {
  const [used, coming, lost] = [promptFile('used', 500), promptFile('coming', 600), promptFile('gone', 700)];
  lies(used, 30);
  lies(lost, 30);
  const feed = {
    save: async (_: unknown, path: string) => {
      writeFileSync(path, coming.bytes);
      return ok(null);
    },
  } as unknown as FeedSource;
  expect(await promptFiles.bytes.bring([coming.row, used.row], feed)).toEqual(ok(null));
  expect(present().sort()).toEqual([used.row.sha256, coming.row.sha256].sort());
  expect(logged).toEqual([]);
});

// A whole day of the appliance's timers.
it('they go every day, too, by the set that is in force', { timeout: 120_000 }, async () => {
  const [used, lost] = [promptFile('used', 500), promptFile('gone', 700)];
  named = [used.row];
  const appliance = await testAppliance({ folder, sound });
  try {
    appliance.runtime.restore();
    await appliance.after(1_000);
    lies(used, 30);
    lies(lost, 30);
    await appliance.after(86_400_000 - 10_000);
    expect(present()).toContain(lost.row.sha256);
    await appliance.after(20_000);
    expect(present()).toEqual([used.row.sha256]);
  } finally {
    await appliance.close(true);
  }
});

it('damaged records and parts of recordings are reported once, then set aside; the others are read', async () => {
  const recordings = join(folder, 'recording');
  mkdirSync(join(recordings, '.known'), { recursive: true });
  const card = {
    recordingId: 'r-1',
    fileName: 'call.wav',
    expected: ['call.wav'],
    files: [],
    report: { sessionId: 's', connectionId: 'c', traceId: 't' },
    startedAtMs: 1,
  };
  const whole = JSON.stringify(card);
  writeFileSync(join(recordings, '.known', 'r-1.json'), whole);
  writeFileSync(join(recordings, '.known', 'r-2.json'), whole.slice(0, whole.length / 2));
  writeFileSync(join(recordings, '.known', 'r-3.json'), Buffer.alloc(4_096));
  writeFileSync(join(recordings, '.known', 'r-4.json'), 'null');
  writeFileSync(join(recordings, 'torn.mp3.part'), Buffer.alloc(5_000, 7));
  const known = async () => (await sound.recordingStore.all()).map(({ recordingId }) => recordingId);
  expect(await known()).toEqual(['r-1']);
  expect(await known()).toEqual(['r-1']);
  expect(damages.map(({ store }) => store)).toEqual(['recording', 'recording', 'recording']);
  sound.damaged?.('torn.mp3', 'it does not begin as our MP3 files do');
  expect(damages[3]).toMatchObject({
    file: expect.stringMatching(/torn\.mp3\.part\.damaged-\d+$/),
    facts: { fault: 'it does not begin as our MP3 files do' },
  });
  // Each stays in its place until the alarm is stored.
  expect(readdirSync(join(recordings, '.known'))).toContain('r-2.json');
  for (const { onReported } of damages) await onReported();
  expect(readdirSync(join(recordings, '.known')).filter((name) => name.endsWith('.json'))).toEqual([
    'r-1.json',
  ]);
  expect(damages.every(({ file }) => existsSync(file))).toBe(true);
});
