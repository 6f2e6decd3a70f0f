import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateIdentity, identityToRecipient } from 'age-encryption';
import { Command } from 'commander';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { backupCommands as cloudBackup, databaseCommands } from '#cloud/cli/index.ts';
import { backupCommands } from '#installer/command/control-plane/backup.ts';
import { exitCode, Stop } from '#installer/exit-code.ts';
import type { Programs } from '#installer/program.ts';

let place: string;
/** The sentence of the last command that failed. */
let refusal = '';
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'carillon-copy-'));
});
afterEach(() => rmSync(place, { recursive: true }));

/** Exit code of the command. */
async function carillon(...words: string[]): Promise<number> {
  const root = new Command('carillon').exitOverride();
  backupCommands(root, { backup: async () => cloudBackup } as Programs);
  try {
    await root.parseAsync([...words, '--json'], { from: 'user' });
    return exitCode.done;
  } catch (cause) {
    if (!(cause instanceof Stop)) throw cause;
    refusal = cause.message;
    return cause.code;
  }
}

const at = (name: string) => join(place, name);

it('a control plane is written, verified and restored by keys in a file, and each refusal has its exit code', async () => {
  const made = await databaseCommands.migrate({ flags: { data: at('first') }, environment: {}, file: {} });
  expect(made.ok).toBe(true);
  const identity = await generateIdentity();
  writeFileSync(at('key.txt'), `# created by age-keygen\n\n${identity}\n`);
  const write = [
    'backup',
    at('cloud.age'),
    '--data',
    at('first'),
    '--recipient',
    await identityToRecipient(identity),
  ];
  expect(await carillon(...write)).toBe(exitCode.wrongUse);
  expect(refusal).toMatch(/--owner/);
  expect(await carillon(...write, '--owner', 'IT', '--keep-days', '0')).toBe(exitCode.wrongUse);
  expect(existsSync(at('cloud.age'))).toBe(false);
  expect(await carillon(...write, '--owner', 'IT')).toBe(exitCode.done);
  expect(await carillon(...write, '--owner', 'IT')).toBe(exitCode.damagedFile);

  const opening = ['--identity', at('key.txt')];
  const printed: string[] = [];
  const shown = vi
    .spyOn(process.stdout, 'write')
    .mockImplementation((text) => printed.push(String(text)) > 0);
  expect(await carillon('backup', 'verify', at('cloud.age'), ...opening)).toBe(exitCode.done);
  shown.mockRestore();
  expect(JSON.parse(printed.join(''))).toMatchObject({ manifest: { owner: 'IT' } });
  expect(await carillon('backup', 'verify', at('cloud.age'))).toBe(exitCode.damagedFile);
  expect(await carillon('backup', 'verify', at('cloud.age'), '--identity', at('none'))).toBe(
    exitCode.missing,
  );
  expect(await carillon('restore', at('cloud.age'), ...opening, '--data', at('second'))).toBe(exitCode.done);
  expect(existsSync(join(at('second'), 'key', 'vault.key'))).toBe(true);
  expect(await carillon('restore', at('cloud.age'), ...opening, '--data', at('second'))).toBe(
    exitCode.damagedFile,
  );
  expect(refusal).toMatch(/restore into an empty/);

  writeFileSync(at('words.txt'), 'correct horse battery staple\n');
  const words = ['--passphrase-file', at('words.txt')];
  const byWords = ['backup', at('words.age'), '--data', at('first'), '--owner', 'IT', ...words];
  expect(await carillon(...byWords)).toBe(exitCode.done);
  expect(await carillon('backup', 'verify', at('words.age'), ...words)).toBe(exitCode.done);
});
