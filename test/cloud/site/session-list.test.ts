import { describe, expect, it } from 'vitest';
import { pageOf, sessionsTogether } from '#cloud/site/request/session-list.ts';
import { numbers } from '#test/support/numbers.ts';

const entry = (sessionId: string) => ({
  ...{ sessionId, mediaserviceId: 'm', traceId: 't', siteId: 'north', hostId: 'h', siteBaseUrl: 'https://h' },
  ...{ startTime: 1, callingParty: 'anna', calledParty: 'ivr', replyId: 'r' },
  ...{ participantCount: 1, connectionCount: 1 },
});

/** A host as it answers: its first sessions behind an id. */
function host(ids: readonly string[], limit: number, nextToken = '') {
  const wanted = ids.filter((id) => id > nextToken).sort();
  const page = wanted.slice(0, limit);
  const read = pageOf({
    sessions: page.map(entry),
    ...(wanted.length > limit && { nextToken: page.at(-1) }),
  });
  if (read === undefined) throw new Error('no page');
  return read;
}

describe('sessions of several hosts', () => {
  it.each([1, 2, 3, 5, 100])('are read whole, each once and in order, by pages of %i', (limit) => {
    const random = numbers(limit);
    const below = (most: number): number => random() % most;
    for (let round = 0; round < 50; round++) {
      const hosts = Array.from({ length: below(4) + 1 }, (_, at) =>
        Array.from({ length: below(12) }, (_, n) => `s${below(90)}-${at}-${n}`),
      );
      const seen: string[] = [];
      let nextToken: string | undefined;
      do {
        const asked = { limit, ...(nextToken !== undefined && { nextToken }) };
        const page = sessionsTogether(
          hosts.map((ids) => host(ids, limit, nextToken)),
          asked,
        );
        expect(page.sessions.length).toBeLessThanOrEqual(limit);
        seen.push(...page.sessions.map(({ sessionId }) => sessionId));
        nextToken = page.nextToken;
      } while (nextToken !== undefined);
      expect(seen).toEqual(hosts.flat().sort());
    }
  });

  it('that two hosts show is shown once', () => {
    const both = [host(['a', 'b'], 9), host(['b', 'c'], 9)];
    expect(sessionsTogether(both, { limit: 9 }).sessions.map(({ sessionId }) => sessionId)).toEqual([
      'a',
      'b',
      'c',
    ]);
  });

  it.each([[{ success: true }], [{ sessions: [{ sessionId: 'a' }] }], [undefined]])(
    '%j of an older host is no page',
    (body) => {
      expect(pageOf(body)).toBeUndefined();
    },
  );
});
