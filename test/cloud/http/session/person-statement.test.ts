import { compactVerify, decodeProtectedHeader } from 'jose';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { alarmCallRouter } from '#cloud/http/index.ts';
import { digest } from '#cloud/io/digest/index.ts';
import { isSiteSignature } from '#cloud/io/key/index.ts';
import { createPersonStatements, createRuntimeRelay, type RuntimeRelayPort } from '#cloud/site/index.ts';
import { auditAfter, insertHost, insertSite, tenantByDomain } from '#cloud/store/index.ts';
import { PERSON_TYP, type PersonStatement } from '#shared/contract/access/index.ts';
import { canonicalJson } from '#shared/contract/feed/index.ts';
import { ok } from '#shared/result.ts';
import { HOST_ROW } from '#test/support/host-row.ts';
import { platformKey, platformSign } from '../../tenant/signer.ts';
import { ask, makeTenant, openApi, type TestApi } from '../api.ts';
import { browse, makePerson } from '../people.ts';

const PATH = '/alarmbridge/a.test/handshakes';
interface HostAnswer {
  readonly status: number;
  readonly body: object;
}

describe('a person who is signed in asks the hosts', () => {
  let api: TestApi;
  let tenant: string;
  let asked: Parameters<RuntimeRelayPort['ask']>[];
  let answers: Record<string, HostAnswer>;
  const TAKEN = { status: 200, body: { success: true, entries: [] } };
  /** As a release answers that knows no statement: to it the request has no token. */
  const OLDER = {
    status: 401,
    body: { success: false, reason: 'no token', error: { code: 'unauthorized' } },
  };

  beforeEach(async () => {
    asked = [];
    answers = { north: TAKEN, south: TAKEN };
    api = await openApi({
      routers: [
        (gate) =>
          alarmCallRouter((call) =>
            createRuntimeRelay({
              store: api.database.store,
              isSiteSignature,
              ask: async (...question) => {
                asked.push(question);
                const site = question[0].endsWith('north') ? 'north' : 'south';
                return ok({
                  v: 1 as const,
                  id: '01jc7z5t3k9q8w6m4n2p0r1s5v',
                  ok: true,
                  data: { ...(answers[site] ?? TAKEN) },
                  part: 1,
                  last: true,
                });
              },
              post: async () => {
                throw new Error('a statement goes to one host, not to the address of a site');
              },
              personStatement: createPersonStatements({
                store: api.database.store,
                sign: platformSign,
                sha256: digest.sha256,
                random: digest.random,
                nowMs: () => api.clock.now,
              }),
            })(call),
          )(gate),
      ],
    });
    await makeTenant(api, 'a.test');
    tenant = (await tenantByDomain(api.database.store, 'a.test'))?.id ?? '';
    await api.database.store.withTx(async (tx) => {
      for (const siteId of ['north', 'south']) {
        const keyPublic = platformKey.export({ format: 'jwk' }) as Record<string, string>;
        const row = { tenant, siteId, name: null, profile: 'standard' as const, reachable: true, keyPublic };
        await insertSite(tx, { ...row, keySealed: '', createdAt: 1 });
        await insertHost(tx, {
          uid: `01jc7z5t3k9q8w6m4n2p0${siteId}`,
          sh: '00',
          tenant,
          siteId,
          hostId: 'h1',
          lifecycle: 'active',
          lifecycleSince: 1,
          ...HOST_ROW,
          certSince: 1,
          siteBaseUrl: `https://${siteId}.a.test/`,
          createdAt: 1,
        });
      }
    });
  });
  afterEach(async () => {
    expect(api.defects).toEqual([]);
    await api.close();
  });

  const statements = async (): Promise<PersonStatement[]> =>
    await Promise.all(
      asked.map(async ([, { args }]) => {
        const compact = args.authorization.replace(/^Person /, '');
        expect(decodeProtectedHeader(compact).typ).toBe(PERSON_TYP);
        const { payload } = await compactVerify(compact, platformKey);
        return JSON.parse(Buffer.from(payload).toString()) as PersonStatement;
      }),
    );

  test('by one statement for each host, for this body, within a minute, and in the audit', async () => {
    const operator = await makePerson(api, 'a.test', 'olle@a.test', 'operator');
    const answer = await browse(api, operator, 'POST', PATH, { body: { limit: 20 } });
    expect(answer).toMatchObject({ status: 200, body: { success: true, entries: [] } });
    const made = await statements();
    // All hosts are asked at once, in no order.
    expect(made.map(({ aud }) => aud.slice(-5)).toSorted()).toEqual(['north', 'south']);
    expect(new Set(made.map(({ jti }) => jti)).size).toBe(2);
    const { body = {} } = asked[0]?.[1].args ?? {};
    for (const each of made) {
      expect(each).toMatchObject({ domain: 'a.test', role: 'operator', operation: 'handshakes' });
      expect(each.sub).toMatch(/^person:/);
      expect(each.exp - each.iat).toBe(60);
      expect(each.body).toBe(digest.sha256(canonicalJson(body)));
    }
    const entries = await auditAfter(api.database.store, tenant, 0, 1_000);
    const read = entries.filter(({ action }) => action === 'handshakes').map(({ entityId }) => entityId);
    expect(read.toSorted()).toEqual(['north/h1', 'south/h1']);
  });

  test('and the platform owner who is signed in does so as owner', async () => {
    const owner = await makePerson(api, 'a.test', 'ada@a.test', 'owner');
    expect((await browse(api, owner, 'POST', PATH, { body: {} })).status).toBe(200);
    expect((await statements())[0]?.role).toBe('owner');
  });

  test('and hears which hosts are too old for it', async () => {
    const operator = await makePerson(api, 'a.test', 'olle@a.test', 'operator');
    answers = { north: OLDER, south: TAKEN };
    expect((await browse(api, operator, 'POST', PATH, { body: {} })).body).toMatchObject({
      success: true,
      missingHosts: ['north/h1'],
      olderHosts: ['north/h1'],
    });
    answers = { north: OLDER, south: OLDER };
    const refused = await browse(api, operator, 'POST', PATH, { body: {} });
    expect(refused).toMatchObject({ status: 409, body: { error: { code: 'hostTooOld' } } });
    expect(refused.body.reason).toMatch(
      /the release of (?:north|south)\/h1 believes no signed-in person yet/,
    );
  });

  test('not without the role, and not where the tenant refuses it', async () => {
    const viewer = await makePerson(api, 'a.test', 'vera@a.test', 'viewer');
    expect((await browse(api, viewer, 'POST', PATH, { body: {} })).status).toBe(403);
    const operator = await makePerson(api, 'a.test', 'olle@a.test', 'operator');
    const settings = { personStatements: 'refused' };
    const stored = await ask(api, 'PUT', '/provisioning/notificationsettings/a.test', { body: settings });
    expect(stored.status).toBe(200);
    const refused = await browse(api, operator, 'POST', PATH, { body: {} });
    expect(refused).toMatchObject({ status: 403, body: { error: { code: 'personStatementsRefused' } } });
    expect(asked).toEqual([]);
  });

  test('not by a page of another origin: the CSRF token is needed', async () => {
    const operator = await makePerson(api, 'a.test', 'olle@a.test', 'operator');
    const forged = await browse(api, { ...operator, csrfToken: 'x' }, 'POST', PATH, { body: {} });
    expect(forged).toMatchObject({ status: 403, body: { error: { code: 'csrfTokenWrong' } } });
    expect(asked).toEqual([]);
  });

  test('and the token of the platform owner, which is no person, does not', async () => {
    expect(await ask(api, 'POST', PATH, { body: {} })).toMatchObject({ status: 403 });
    expect(asked).toEqual([]);
  });
});
