import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openHostCapture } from '#appliance/compose/disk.ts';
import { DEFAULT_RETENTION } from '#shared/setting/index.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'carillon-capture-start-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const logged: string[] = [];
const closing: (() => unknown)[] = [];
const open = (captureBytes: number) =>
  openHostCapture(
    {
      ...{ data: folder, address: '192.0.2.1', hostId: 'gw-1', captureBytes },
      ...{ hep: undefined, retention: DEFAULT_RETENTION },
    },
    {
      journal: { tracePart: () => ({ pages: [], nextRow: undefined }) },
      reachable: { allowPrivate: [], listeners: () => [] },
      hostId: () => 'gw-1',
      log: (level, event) => logged.push(`${level} ${event}`),
      closing,
    },
  );

it('a host whose capture cannot be opened starts without it, and says so', async () => {
  writeFileSync(join(folder, 'capture'), 'a file in the place of the folder');
  expect(await open(8_000_000)).toBeUndefined();
  expect(logged).toEqual(['warn capture.write_failed']);
  expect(closing).toEqual([]);
});

it('a capture that is off opens nothing', async () => {
  expect(await open(0)).toBeUndefined();
});
