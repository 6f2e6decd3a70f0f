import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { shownTexts } from './shown-text.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const CONSOLE = join(ROOT, 'cloud', 'console');
const CONFIG = join(CONSOLE, 'lingui.config.ts');
const LINGUI = join(ROOT, 'node_modules', '@lingui', 'cli', 'dist', 'lingui.js');

/** The faults that Lingui finds; empty: none. `npm run texts` mends the first kind, a person the second. */
async function found(...args: string[]): Promise<string> {
  const command = [LINGUI, 'check', ...args, '--config', CONFIG, '--workers', '1', '--verbose'];
  const run = promisify(execFile)(process.execPath, command, { cwd: ROOT });
  return await run.then(
    () => '',
    ({ stdout, stderr }: { stdout: string; stderr: string }) => `${stdout}${stderr}`,
  );
}

describe('the texts of the console', { timeout: 120_000 }, () => {
  it('stand in the catalog of each language, and no catalog has one that nothing uses', async () => {
    expect(await found('sync', '--clean')).toBe('');
  });

  it('are said in each language', async () => {
    expect(await found('missing', '--mode', 'catalog')).toBe('');
  });

  it('stand in a macro wherever a person sees them', () => {
    const left = globSync('{component,foundation,page}/**/*.tsx', { cwd: CONSOLE }).flatMap((file) =>
      shownTexts(file, readFileSync(join(CONSOLE, file), 'utf8')).map(
        ({ line, text }) => `${file}:${line}: ${text}`,
      ),
    );
    expect(left.toSorted()).toEqual([]);
  });

  it.each(['unanswered', 'interrupted', 'cloudUserAgent'])(
    'have one word for %s of the API, in one file',
    (value) => {
      const words = globSync('{component,foundation,page}/**/*.{ts,tsx}', { cwd: CONSOLE }).filter((file) =>
        new RegExp(`\\b${value}: (msg|t)\``).test(readFileSync(join(CONSOLE, file), 'utf8')),
      );
      expect(words).toEqual(['page/record/record-words.ts']);
    },
  );

  it.each([
    ['<p>Some text</p>', 'Some text'],
    ['<Act label="Remove it" />', 'Remove it'],
    ['<p>{busy ? `One moment` : label}</p>', 'One moment'],
    ["<Head columns={['Host', name]} />", 'Host'],
    ['<Choice name="Subject" words={words} />', 'Subject'],
  ])('are found outside of one: %s', (source, text) => {
    expect(shownTexts('page.tsx', source)).toEqual([{ line: 1, text }]);
  });

  it.each([
    '<p><Trans>Some text</Trans></p>',
    '<Act label={t`Remove it`} />',
    '<input name="email" placeholder="ada@care.example" />',
    '<code>carillon demo</code>',
    '<td>{level} dBm0</td>',
  ])('are not found in %s', (source) => {
    expect(shownTexts('page.tsx', source)).toEqual([]);
  });
});
