import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { moveDemo } from '#installer/step/demo-move.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'carillon-move-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const identity = { uid: 'u', edgeUrl: 'https://127.0.0.1:8444', brokerUrl: 'mqtt://127.0.0.1:1883' };
const keep = (): void => {
  writeFileSync(join(folder, 'identity.json'), JSON.stringify(identity));
  for (const name of ['config.db', 'config.db-wal', 'config-lkg.db', 'journal.db'])
    writeFileSync(join(folder, name), 'x');
};

test('a demo under other ports finds its control plane, and asks it for the configuration', () => {
  keep();
  moveDemo(folder, { edge: 8544, mqtt: 1983 });
  expect(JSON.parse(readFileSync(join(folder, 'identity.json'), 'utf8'))).toEqual({
    uid: 'u',
    edgeUrl: 'https://127.0.0.1:8544',
    brokerUrl: 'mqtt://127.0.0.1:1983',
  });
  expect(readdirSync(folder)).toEqual(['identity.json', 'journal.db']);
});

test('a demo under the same ports, and one that was never begun, stay as they are', () => {
  moveDemo(folder, { edge: 8444, mqtt: 1883 });
  expect(readdirSync(folder)).toEqual([]);
  keep();
  moveDemo(folder, { edge: 8444, mqtt: 1883 });
  expect(readdirSync(folder)).toHaveLength(5);
});
