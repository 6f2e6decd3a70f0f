import { expect, it } from 'vitest';
import { rootCommand } from '#installer/command/root.ts';
import type { Programs } from '#installer/program.ts';

/** The sentence with which `simulate siprec client` ends where its session is refused. */
async function sentence(reason: string): Promise<string> {
  const refuse = async (): Promise<never> => {
    throw new Error(reason);
  };
  const root = await rootCommand({ openRecordingClient: refuse } as unknown as Programs, {
    CARILLON_DATA: 'none',
  });
  return await root.parseAsync(['simulate', 'siprec', 'client', '--service', 'tapes'], { from: 'user' }).then(
    () => 'no refusal',
    (cause: Error) => cause.message,
  );
}

it('a recording client that is refused says what to look at', async () => {
  expect(await sentence('INVITE was refused: 503 Service Unavailable')).toBe(
    'INVITE was refused: 503 Service Unavailable. The host has no room for a call now: try again.',
  );
  expect(await sentence('INVITE was refused: 404 Not Found')).toMatch(
    /404 Not Found\. Does the appliance run .* a recording service tapes\?$/,
  );
});
