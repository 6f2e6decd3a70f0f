import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';

/* The unit's action on a clock that stood still, by the shell that systemd gives it to; `date` only writes down what it is asked. */

const UNIT = resolve(import.meta.dirname, '../../systemd/carillon-appliance.service');
const NOW_S = 1_800_000_000;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'clock-'));
  mkdirSync(join(folder, 'bin'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function program(name: string, text: string): void {
  const file = join(folder, 'bin', name);
  writeFileSync(file, `#!/bin/sh\n${text}\n`);
  chmodSync(file, 0o755);
}

/** The script as the shell gets it: systemd halves `%%` and `$$` (systemd.unit(5), systemd.service(5)). */
function script(): string {
  const [, quoted = ''] = /^ExecStartPre=-\+\/bin\/sh -c '(.*)'$/m.exec(readFileSync(UNIT, 'utf8')) ?? [];
  return quoted.replaceAll('%%', '%').replaceAll('$$', '$');
}

/** The time that the clock is set to, as `date` gets it; undefined: it is left alone. */
function setTo(last: string | undefined, synchronised: string): string | undefined {
  const asked = join(folder, 'asked');
  program('date', `case "$1" in +%s) echo ${NOW_S};; *) echo "$*" > ${asked};; esac`);
  program('timedatectl', `echo ${synchronised}`);
  if (last !== undefined) writeFileSync(join(folder, 'last-good-time'), last);
  const path = `${join(folder, 'bin')}:${process.env.PATH}`;
  const ran = spawnSync('/bin/sh', ['-c', script()], { cwd: folder, env: { PATH: path } });
  expect([ran.status, String(ran.stderr)]).toEqual([0, '']);
  return existsSync(asked) ? readFileSync(asked, 'utf8').trim() : undefined;
}

const later = `${NOW_S + 86_400}123\n`;

it('it is set to the last good time, to the second', () => {
  expect(setTo(later, 'no')).toBe(`--utc --set @${NOW_S + 86_400}`);
});

it('also where no one can say whether it has a source', () => {
  expect(setTo(later, '')).toBe(`--utc --set @${NOW_S + 86_400}`);
});

it.each([
  ['one that has a source is right', later, 'yes'],
  ['one that goes on is left alone', `${NOW_S - 60}000\n`, 'no'],
  ['nothing was kept', undefined, 'no'],
  ['an empty file', '', 'no'],
  ['what is no number', '$(reboot)\n', 'no'],
  ['what is no time that comes', '99999999999999\n', 'no'],
])('%s', (_, last, synchronised) => {
  expect(setTo(last, synchronised)).toBeUndefined();
});
