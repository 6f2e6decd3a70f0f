import { Command } from 'commander';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { outboxCommands } from '#installer/command/outbox.ts';
import { exitCode, Stop } from '#installer/exit-code.ts';
import type { OnSite, Programs } from '#installer/program.ts';
import { fail, ok } from '#shared/result.ts';
import { openWholeCloud, type WholeCloud } from '../../cloud/whole-cloud.ts';

const LETTER = {
  id: '01jc7z5t3k9q8w6m4n2p0r1s5v',
  lane: 'alarm',
  type: 'newAlarmbridgeEvent',
  dest: 'bridge b',
  createdAt: 1_770_000_000_000,
  attempts: 3,
  lastError: 'refused: answered 400',
};

let cloud: WholeCloud;
let onSite: Pick<OnSite, 'deadLetters' | 'replay' | 'replayTaken'>;
let requests: unknown[];
beforeAll(async () => {
  cloud = await openWholeCloud();
});
afterAll(() => cloud.close());
beforeEach(() => {
  requests = [];
  onSite = {
    deadLetters: (...asked) => {
      requests.push(asked);
      return ok([LETTER]);
    },
    replay: (...request) => {
      requests.push(request);
      return ok(null);
    },
    replayTaken: () => true,
  };
});

async function carillon(...words: string[]): Promise<{ code: number; text: string }> {
  const lines: string[] = [];
  const root = new Command('carillon').exitOverride();
  const environment = { CARILLON_CLOUD: cloud.api, CARILLON_TOKEN: cloud.owner };
  const programs = { onSite: async () => onSite } as unknown as Programs;
  outboxCommands(root, programs, { environment, say: (line) => lines.push(line) });
  try {
    await root.parseAsync(['outbox', ...words], { from: 'user' });
    return { code: exitCode.done, text: lines.join('\n') };
  } catch (cause) {
    if (cause instanceof Stop) return { code: cause.code, text: cause.message };
    throw cause;
  }
}

describe('carillon outbox on the appliance', () => {
  it('lists what was given up', async () => {
    expect((await carillon('list', '--data', '/var/x', '--most', '5')).text).toBe(
      `${LETTER.id}  2026-02-02T02:40:00.000Z  newAlarmbridgeEvent  bridge b  3 attempts: refused: answered 400`,
    );
    expect(requests).toEqual([['/var/x', 5]]);
    expect(JSON.parse((await carillon('list', '--json')).text)).toEqual({ success: true, letters: [LETTER] });
    onSite = { ...onSite, deadLetters: () => ok([]) };
    expect((await carillon('list')).text).toBe('nothing was given up');
  });

  it('sends some or all again, and says which', async () => {
    expect((await carillon('replay', '--data', '/var/x', '--id', 'a', 'b')).text).toContain('sent again');
    expect((await carillon('replay', '--data', '/var/x', '--all', '--json')).text).toBe(
      '{"success":true,"taken":true}',
    );
    expect(requests).toEqual([
      ['/var/x', ['a', 'b']],
      ['/var/x', undefined],
    ]);
  });

  it.each([
    [['replay'], exitCode.wrongUse],
    [['replay', '--all', '--id', 'a'], exitCode.wrongUse],
    [['list', 'care.example'], exitCode.wrongUse],
    [['list', '--most', 'many'], exitCode.wrongUse],
    [['list', '--most', '0'], exitCode.wrongUse],
  ])('%j ends with %i', async (words, code) => {
    expect((await carillon(...words)).code).toBe(code);
    expect(requests).toEqual([]);
  });

  it('says what is not there, and what cannot be written', async () => {
    onSite = {
      ...onSite,
      deadLetters: () => fail('notFound', 'no folder'),
      replay: () => fail('disk', 'full'),
    };
    expect(await carillon('list')).toEqual({ code: exitCode.missing, text: 'no folder' });
    expect(await carillon('replay', '--all')).toEqual({ code: exitCode.disk, text: 'full' });
  });
});

describe('carillon outbox through the cloud', () => {
  it('asks the cloud, which knows no such host', async () => {
    for (const words of [['list'], ['replay', '--all']] as const) {
      const [verb, ...flags] = words;
      expect(await carillon(verb, 'care.example', 'north', 'gw-1', ...flags)).toMatchObject({
        code: exitCode.refused,
      });
    }
    expect(requests).toEqual([]);
  });
  it('says who is not let in', async () => {
    expect((await carillon('list', 'care.example', 'north', 'gw-1', '--token', 'nobody')).code).toBe(
      exitCode.notPermitted,
    );
  });
});
