import { describe, expect, it } from 'vitest';
import { digest } from '#cloud/io/digest/index.ts';
import { signInTries } from '#cloud/tenant/credential/sign-in-tries.ts';
import type { LoginTry } from '#shared/authorize/index.ts';
import { dialects, openTestDatabase } from '../store/database.ts';

const MINUTE = 60_000;
const ada: LoginTry = { name: 'ada@a.test', source: '192.0.2.1' };

describe.each(dialects)('wrong tries at two replicas on %s', (dialect) => {
  const opened = async () => {
    const { store, close } = await openTestDatabase(dialect);
    const reported: LoginTry[] = [];
    const replica = () => signInTries(store, digest.sha256, (one) => reported.push(one));
    return { a: replica(), b: replica(), store, told: reported, close };
  };

  it('are five together, then the name is locked at both', { timeout: 60_000 }, async () => {
    const { a, b, told: reported, close } = await opened();
    for (const each of [a, b, a, b, a]) expect((await each.begin(ada, 0)).ok).toBe(true);
    for (const each of [a, b])
      expect(await each.begin(ada, 5 * MINUTE)).toMatchObject({
        error: { code: 'tooManyRequests', retryAfterS: 600 },
      });
    // The audit log hears of it once, whichever replica saw it.
    expect(reported).toEqual([ada]);
    expect((await b.begin(ada, 15 * MINUTE)).ok).toBe(true);
    await close();
  });

  it('are no more than five when all come at once', { timeout: 60_000 }, async () => {
    const { a, b, close } = await opened();
    const begun = await Promise.all(
      Array.from({ length: 20 }, (_, n) => (n % 2 === 0 ? a : b).begin(ada, 0)),
    );
    expect(begun.filter(({ ok }) => ok)).toHaveLength(5);
    await close();
  });

  it('are forgotten at both by a right one, which reports those from elsewhere', {
    timeout: 60_000,
  }, async () => {
    const { a, b, close } = await opened();
    for (const each of [a, b, a]) await each.begin({ ...ada, source: '203.0.113.9' }, 1);
    await b.begin(ada, 2);
    expect(await b.right(ada, 2)).toEqual({ count: 3, lastAt: 1, lastSource: '203.0.113.9' });
    for (let n = 0; n < 5; n++) expect((await a.begin(ada, 3)).ok).toBe(true);
    await close();
  });

  it('leave the table when they count no longer', { timeout: 60_000 }, async () => {
    const { a, b, store, close } = await opened();
    for (let n = 0; n < 20; n++) await a.begin({ ...ada, name: `n${n}@a.test` }, 0);
    await b.begin(ada, 15 * MINUTE + 1);
    const rows = await store.db.select().from(store.tables.loginAttempt);
    expect(rows).toHaveLength(1);
    // The name itself is not stored.
    expect(JSON.stringify(rows)).not.toContain('a.test');
    await close();
  });
});
