import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';

const SCRIPT = join(import.meta.dirname, '../../../systemd/rollback.sh');
const made: string[] = [];
afterEach(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true });
});

/** A host with release 2 running, release 1 before it, and an upgrade that is finished or not. */
function host({ pending = true, previous = true, slot = true, trial = '2' } = {}) {
  const root = mkdtempSync(join(tmpdir(), 'carillon-rollback-'));
  made.push(root);
  const releases = join(root, 'opt/releases');
  for (const version of slot ? ['1', '2'] : ['2']) {
    mkdirSync(join(releases, version), { recursive: true });
    writeFileSync(join(releases, version, 'carillon'), version, { mode: 0o755 });
  }
  for (const folder of ['path', 'update']) mkdirSync(join(root, folder));
  symlinkSync(join(releases, '2'), join(root, 'opt/current'));
  if (previous) symlinkSync(join(releases, '1'), join(root, 'opt/previous'));
  if (pending) writeFileSync(join(root, 'update/pending'), `${trial}\n`);
  const log = join(root, 'log');
  writeFileSync(join(root, 'path/systemctl'), `#!/bin/sh\necho "$*" >>${log}\n`);
  chmodSync(join(root, 'path/systemctl'), 0o755);
  const { status, stderr } = spawnSync('sh', [SCRIPT], {
    encoding: 'utf8',
    env: {
      PATH: `${join(root, 'path')}:${process.env.PATH}`,
      CARILLON_OPT: join(root, 'opt'),
      CARILLON_UPDATE: join(root, 'update'),
    },
  });
  return {
    status,
    stderr,
    current: readlinkSync(join(root, 'opt/current')).slice(-1),
    pending: existsSync(join(root, 'update/pending')),
    systemctl: existsSync(log) ? readFileSync(log, 'utf8').trimEnd().split('\n') : [],
  };
}

describe('a release that does not start', () => {
  it('is taken back while its upgrade is unfinished', () => {
    expect(host()).toEqual({
      status: 0,
      stderr: expect.stringContaining('does not start; going back to'),
      current: '1',
      pending: false,
      systemctl: ['reset-failed carillon-appliance.service', 'start --no-block carillon-appliance.service'],
    });
  });

  it.each([
    ['where none was before it', { previous: false }],
    ['where the one before it was removed', { slot: false }],
    ['where the upgrade was taken back already', { trial: '3' }],
  ])('stays %s', (_, state) => {
    expect(host(state)).toMatchObject({ status: 0, current: '2', systemctl: [] });
  });

  it('stays after its upgrade was confirmed, and the maintenance looks for a configuration that was cut', () => {
    const systemctl = ['start --no-block carillon-maintenance.service'];
    expect(host({ pending: false })).toMatchObject({ status: 0, current: '2', systemctl });
  });
});
