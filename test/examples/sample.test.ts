import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { explain } from '#appliance/explain/index.ts';
import { aesCbc } from '#appliance/io/frame-listener/index.ts';
import { hearFile } from '#appliance/media/dtmf/index.ts';

const FOLDER = join(import.meta.dirname, '../../examples/sample');
const README = readFileSync(join(FOLDER, 'README.md'), 'utf8');
const bytes = (name: string) => readFileSync(join(FOLDER, name));

type Kind = Parameters<typeof explain>[0];
const SAMPLES: readonly (readonly [Kind, string, string])[] = [
  ['scaip', 'scaip-alarm.xml', 'unit-17'],
  ['nowip', 'nowip-alarm.xml', '12345678'],
  ['lacs', 'lacs-alarm.xml', 'lift-9'],
  ['dc09', 'dc09-alarm.frame', '1234'],
  ['bs8521', 'bs8521-alarm.txt', '12345678'],
  ['tt92', 'tt92-alarm.txt', '000012345678'],
  ['ttnew', 'ttnew-alarm.txt', '000012345678'],
  ['contactId', 'contact-id-alarm.txt', '1234'],
  ['p100', 'p100-alarm.txt', '87654321'],
];

it.each(SAMPLES)('%s: %s is an alarm of %s, and the README says how to see it', (kind, name, unit) => {
  const profile = kind === 'lacs' ? JSON.parse(bytes('lacs-profile.json').toString()) : undefined;
  const read = explain(kind, bytes(name), { key: undefined, aes: aesCbc, profile });
  if (!read.ok) throw new Error(read.error.reason);
  expect(JSON.stringify(read.value.alarmEvent)).toContain(unit);
  expect(README).toContain(`carillon explain ${kind} examples/sample/${name}`);
});

it('a body of LACS without its profile is shown, and no event is made up', () => {
  const read = explain('lacs', bytes('lacs-alarm.xml'), { key: undefined, aes: aesCbc });
  expect(read).toMatchObject({ ok: true, value: { alarmEvent: null, fields: { root: 'lacs' } } });
  const wrong = explain('lacs', bytes('lacs-alarm.xml'), {
    key: undefined,
    aes: aesCbc,
    profile: { root: 1 },
  });
  expect(wrong.ok ? '' : wrong.error.reason).toContain('no profile of LACS');
});

it('a command of NOW-IP is no event, and what is none is refused with the reason', () => {
  const message = (type: string, data: string) =>
    Buffer.from(
      `<ATM><version>1</version><type>${type}</type><data>${data}</data><time>2026-09-25T14:12:04Z</time><mac>00:11:22:33:44:55</mac></ATM>`,
    );
  const options = { key: undefined, aes: aesCbc };
  expect(explain('nowip', message('0', '123456780001'), options)).toMatchObject({
    value: { fields: { meaning: 'heartbeat' }, alarmEvent: null },
  });
  const none = explain('nowip', message('1', '12'), options);
  expect(none.ok ? '' : none.error.reason).toContain('no NOW-IP');
});

it.each([
  ['bs8521-alarm.wav', 'A01001234567800000100100000#'],
  ['tt92-alarm.wav', 'D#1016000012345678000000'],
])('%s holds its digits', (name, digits) => {
  const received = hearFile(bytes(name), 'alarm');
  if (!received.ok) throw new Error(received.error.reason);
  expect(received.value.map((line) => ('digit' in line ? line.digit : '')).join('')).toBe(digits);
  expect(README).toContain(`carillon tones examples/sample/${name}`);
});

it('each sample is named, and each example is one file of at most 150 lines with a line in the README', () => {
  for (const name of readdirSync(FOLDER)) if (name !== 'README.md') expect(README).toContain(name);
  const root = join(FOLDER, '..');
  const all = readFileSync(join(root, 'README.md'), 'utf8');
  const examples = readdirSync(root, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  expect(examples.length).toBeGreaterThan(10);
  for (const { name } of examples) {
    if (name === 'sample') continue;
    expect(readdirSync(join(root, name))).toEqual(['main.ts']);
    expect(readFileSync(join(root, name, 'main.ts'), 'utf8').split('\n').length).toBeLessThanOrEqual(151);
    expect(all).toContain(`| \`${name}\` |`);
  }
});

it('an example without its demo, and a name that is none, say what to do', () => {
  const run = (name: string) =>
    spawnSync(process.execPath, [join(FOLDER, '../run.ts'), name], {
      encoding: 'utf8',
      env: { ...process.env, DEMO_READY: '/nowhere/ready.json' },
    });
  expect(run('first-alarm').stderr).toContain('npm start -- --callback http://localhost:3000');
  expect(run('no-such').stderr).toContain('alarm-desk');
  expect(run('no-such').status).toBe(64);
});
