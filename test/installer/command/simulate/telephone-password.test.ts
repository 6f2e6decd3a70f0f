import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { rootCommand } from '#installer/command/root.ts';
import { Stop } from '#installer/exit-code.ts';
import type { Programs } from '#installer/program.ts';

const folder = mkdtempSync(join(tmpdir(), 'carillon-password-'));
mkdirSync(join(folder, 'demo'));
const facts = { domain: 'demo.carillon.test', telephonePassword: 'of the demo' };
writeFileSync(join(folder, 'demo', 'ready.json'), JSON.stringify(facts));
afterAll(() => rmSync(folder, { recursive: true }));

/** The password that a simulator would prove itself with. */
async function passwordOf(words: readonly string[], data = folder): Promise<string | undefined> {
  const given: (string | undefined)[] = [];
  const take = async (run: { readonly password: string | undefined }): Promise<never> => {
    given.push(run.password);
    throw new Error('it goes no further here');
  };
  const programs = { simulateTone: take, openPhone: take, openRecordingClient: take } as unknown as Programs;
  const root = await rootCommand(programs, { CARILLON_DATA: data });
  await expect(root.parseAsync(['simulate', ...words], { from: 'user' })).rejects.toThrow(Stop);
  expect(given).toHaveLength(1);
  return given[0];
}

describe.each([['tone'], ['sip'], ['siprec client']])('simulate %s', (name) => {
  const simulator = name.split(' ');

  it('has the password of the demo of this folder where none is typed', async () => {
    expect(await passwordOf(simulator)).toBe('of the demo');
  });

  it('has the password that is typed', async () => {
    expect(await passwordOf([...simulator, '--password', 'typed'])).toBe('typed');
  });

  it('has none for another tenant, and where no demo has run', async () => {
    expect(await passwordOf([...simulator, '--domain', 'care.example'])).toBeUndefined();
    expect(await passwordOf(simulator, join(folder, 'empty'))).toBeUndefined();
  });
});
