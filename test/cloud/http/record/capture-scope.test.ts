import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { changesSince, tenantByDomain } from '#cloud/store/index.ts';
import { replicatedApiKeySchema, replicatedApiTokenSchema } from '#shared/contract/access/index.ts';
import { type HostStage, openHostStage } from '../host-stage.ts';
import { type Maker, makeKey, makePersonBy, makeToken, must, platformOwner } from '../maker.ts';

const T = 'a.test';

let stage: HostStage;
let owner: Maker & { readonly id: string };

beforeAll(async () => {
  stage = await openHostStage();
  owner = await makePersonBy(stage.api, platformOwner(stage.api), T, 'owner@care.example', 'owner');
});
afterAll(async () => {
  expect(stage.api.defects).toEqual([]);
  await stage.close();
});

/** The field as hosts judged it before there was the word `capture`: a row with another word is refused with its whole scope. */
const earlierScope = z
  .string()
  .refine((text) =>
    text.split(' ').every((word) => ['provisioning', 'runtime', 'site', 'read'].includes(word)),
  )
  .optional();
const EARLIER = {
  apikey: replicatedApiKeySchema.extend({ scope: earlierScope }),
  apitoken: replicatedApiTokenSchema.extend({ scope: earlierScope }),
};

/** Rows of keys and tokens as hosts get them, by id: their last change. */
async function rows() {
  const { store } = stage.api.database;
  const tenant = (await tenantByDomain(store, T))?.id ?? '';
  const changes = await changesSince(store, 'tenant', tenant, 0, 10_000);
  const ours = changes.filter(({ entity }) => entity === 'apikey' || entity === 'apitoken');
  return new Map(ours.map((change) => [change.id, change]));
}
const idOf = ({ ref }: Maker) => ref.slice(ref.indexOf(':') + 1);

test('a host that does not know the word capture takes the keys and tokens of its tenant', async () => {
  const { api } = stage;
  const both = [
    await makeToken(api, owner, T, { scope: 'read capture' }),
    await makeKey(api, owner, T, 'capture runtime'),
  ];
  const alone = [
    await makeToken(api, owner, T, { scope: 'capture' }),
    await makeKey(api, owner, T, 'capture'),
  ];
  const all = await rows();
  expect(both.map((maker) => (all.get(idOf(maker))?.body as { scope?: string } | undefined)?.scope)).toEqual([
    'read',
    'runtime',
  ]);
  // A host would take a row without a scope for one that may do everything.
  expect(alone.map((maker) => all.get(idOf(maker))?.op)).toEqual(['delete', 'delete']);
  for (const { entity, op, body } of all.values())
    if (op === 'put') expect(EARLIER[entity as 'apikey'].safeParse(body).error?.issues).toBeUndefined();
  // The people who own them see the word.
  const listed = must(await owner.ask('GET', `/provisioning/apitoken/${T}`)).body.apitokens;
  const scopes = (listed as { scope?: string }[]).flatMap(({ scope }) => scope ?? []);
  expect(scopes.toSorted()).toEqual(['capture', 'read capture']);
});

test('a token without the word cannot hand it out', async () => {
  const { api } = stage;
  const maker = await makeToken(api, owner, T, { scope: 'provisioning read' });
  const asked = await maker.ask('POST', `/provisioning/apitoken/${T}`, { body: { scope: 'capture' } });
  expect(asked.status).toBe(403);
});
