import { afterEach, describe, expect, it } from 'vitest';
import { VOICE_PROTOCOLS } from '#test/support/voice-alarm.ts';
import { judgeFault } from './fault-history.ts';
import { CELLS, closeSites, FORGETFUL, walksThrough } from './fault-walk.ts';

/*
 * Every protocol whose alarms call people × every step of the list × every fault, in one walk of one alarm for each protocol.
 */

afterEach(closeSites);

const PROTOCOLS = [...VOICE_PROTOCOLS, 'dc09'];

/** Broken promises, by the cell in which each shows. */
const faultsOf = (walked: Awaited<ReturnType<typeof walksThrough>>): string[] =>
  walked.flatMap(({ cell, history }) =>
    judgeFault(history).map((fault) => `${cell.name}, when ${cell.step}: ${fault}`),
  );

describe('an alarm of', () => {
  it.each(PROTOCOLS)(
    '%s calls a person again after each fault at each step of its list',
    async (protocol) => {
      const walked = await walksThrough(protocol, CELLS);
      expect(faultsOf(walked)).toEqual([]);
      expect(walked).toHaveLength(CELLS.length);
      // The device is in its call each time, also behind a restart: it was called back.
      expect(new Set(walked.map(({ hadDevice }) => hadDevice))).toEqual(new Set([protocol !== 'dc09']));
    },
  );

  it.each(['tt92', 'nowip', 'dc09'])(
    '%s turns the checker red where a program forgets its alarms',
    async (protocol) => {
      expect(faultsOf(await walksThrough(protocol, [FORGETFUL, ...CELLS]))).toContain(
        'a program that forgets, when the first one rings: no person was called again',
      );
    },
  );
});
