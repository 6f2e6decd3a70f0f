import { ask, createFlow, end, say } from '#sdk/js/src/flow/index.ts';
import { client, domain, serve } from '../kit.ts';

/* Outbound reminders: calls each person of a list, says the reminder, and notes who has confirmed with 1. */

const [, , , ...PEOPLE] = process.argv;
const people = PEOPLE.length > 0 ? PEOPLE : ['operator'];
const results = new Map<string, string>();

const flow = createFlow('reminder', {
  reminder: {
    command: () =>
      ask([say('This is a reminder: please take your medicine. Press one to confirm.')], {
        ...{ maxDigits: 1, firstDigitTimeout: 8_000 },
      }),
    next: (digits, { sessionId }) => {
      results.set(sessionId, digits === '1' ? 'confirmed' : 'heard');
      return 'thanks';
    },
  },
  thanks: { command: () => end([say('Thank you.')]) },
});

/** The end of each call; it may come before the answer to the request that has placed it. */
const ends = new Map<string, PromiseWithResolvers<string>>();
function endOf(sessionId: string): PromiseWithResolvers<string> {
  const known = ends.get(sessionId) ?? Promise.withResolvers<string>();
  ends.set(sessionId, known);
  return known;
}

await serve({
  getIvrCommand: flow,
  callEvent: ({ sessionId, sipStatus }) => {
    if (sipStatus !== undefined) results.set(sessionId, `not reached (${sipStatus})`);
    return { action: 'drop' };
  },
  sessionCompleted: ({ sessionId, reason }) =>
    endOf(sessionId).resolve(results.get(sessionId) ?? `not reached (${reason})`),
});

// One after the other: a list of reminders is no reason to fill every line.
for (const destAddr of people) {
  const { sessionId = '' } = await client.call('postMediaserviceByDomainPlaceivrcall', {
    domain,
    body: { destAddr, maxRingTime: 20 },
  });
  console.log(`${destAddr}: ${await endOf(sessionId).promise}`);
}
process.exit(0);
