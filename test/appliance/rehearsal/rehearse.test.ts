import { describe, expect, it } from 'vitest';
import { SITUATIONS } from '#appliance/rehearsal/index.ts';
import { createHandler } from '#sdk/js/src/callback/index.ts';
import { listenerOf, rehearsed, rightOptions, served } from './application.ts';
import { FAULTS, TIMEOUT_MS } from './fault.ts';

/* The result of a rehearsal is worth what its lines are: a right application passes, and each fault turns its own line red alone. */

it('an application that is made with the SDK passes all forty', async () => {
  const application = await served(listenerOf(createHandler(rightOptions())));
  try {
    const results = await rehearsed(application.url);
    expect(results.filter(({ verdict }) => verdict !== 'passed')).toEqual([]);
    expect(results.map(({ name }) => name)).toEqual(SITUATIONS.map(({ name }) => name));
    expect(results).toHaveLength(40);
  } finally {
    await application.close();
  }
}, 120_000);

it('every situation has a fault', () => {
  expect(Object.keys(FAULTS)).toEqual(SITUATIONS.map(({ name }) => name));
});

/** Each of the forty takes two seconds of processor time: a part of them with each change, and all of them before a release. */
const FAULTY = Object.entries(FAULTS).filter((_, i) => process.env.TEST_LONG !== undefined || i % 5 === 0);

describe.concurrent('an application with one fault turns the line of that fault red, and no other', () => {
  it.for(FAULTY)('%s', { timeout: 300_000 }, async ([name, faulty], { expect }) => {
    const { listener, onSocket } = faulty();
    const application = await served(listener, onSocket);
    try {
      const results = await rehearsed(application.url, TIMEOUT_MS);
      const red = results.filter(({ verdict }) => verdict !== 'passed');
      expect(red.map((result) => `${result.name}: ${result.found}`)).toEqual([
        expect.stringMatching(`^${name}: `),
      ]);
    } finally {
      await application.close();
    }
  });
});
