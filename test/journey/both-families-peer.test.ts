import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openSitePair, type SitePair } from '#test/support/site-pair.ts';

/*
 * Two hosts whose link is IPv6, while all else of theirs is IPv4. Each knows two addresses of the other, at the first of which
 * no program listens: it is found at the second.
 */
let pair: SitePair;
beforeAll(async () => {
  pair = await openSitePair({ linkOnSix: true });
}, 180_000);
afterAll(() => pair?.close(), 60_000);

it.each(['one', 'two'])('the host %s finds the other one over the family that works', (hostId) => {
  const log = readFileSync(pair.logFile(hostId), 'utf8');
  expect(log).toContain('"event":"peer.appeared"');
  expect(log).not.toContain('"event":"peer_link.listen_failed"');
});
