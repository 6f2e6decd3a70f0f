import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { changesSince, tenantByDomain } from '#cloud/store/index.ts';
import { createMachine } from '../io/machine.ts';
import { type Answer, ask, DEVICE } from './api.ts';
import { type HostStage, openHostStage } from './host-stage.ts';
import { code, type Maker, makeKey, makePersonBy, makeToken, must, platformOwner } from './maker.ts';
import { PASSWORD, pathOf } from './people.ts';

const T = 'a.test';
const USERS = `/provisioning/user/${T}`;
const TOKENS = `/provisioning/apitoken/${T}`;
const KEYS = `/provisioning/apikey/${T}`;
const DEVICES = `/provisioning/device/${T}`;

describe('rights of what is made', () => {
  let stage: HostStage;
  let owner: Maker & { readonly id: string };
  let api: HostStage['api'];
  const person = (email: string, role: string, by: Maker = owner) =>
    makePersonBy(api, by, T, `${email}@care.example`, role);
  const reads = async (maker: Maker) => (await maker.ask('GET', DEVICES)).status;
  const writes = async (maker: Maker) => (await maker.ask('PUT', DEVICES, { body: DEVICE })).status;
  const role = (id: string, given: string, by: Maker = owner, query = '') =>
    by.ask('PUT', `${USERS}/${id}${query}`, { body: { role: given } });
  const idOf = ({ ref }: Maker) => ref.slice(ref.indexOf(':') + 1);

  beforeAll(async () => {
    stage = await openHostStage();
    ({ api } = stage);
    owner = await person('owner', 'owner', platformOwner(api));
  });
  afterAll(async () => {
    expect(api.defects).toEqual([]);
    await stage.close();
  });

  describe('people are made by people, and by tokens without scope and end', () => {
    test('a token of scope provisioning invites no one, not even below its own role', async () => {
      const token = await makeToken(api, owner, T, { scope: 'provisioning' });
      for (const given of ['owner', 'viewer']) {
        const body = { email: 'eve@care.example', role: given };
        const answer = await token.ask('POST', USERS, { body });
        expect([answer.status, code(answer)]).toEqual([403, 'unscopedTokenRequired']);
        expect(answer.body.reason).toMatch(/a token with a scope cannot invite/);
      }
      const changed = await role(owner.id, 'viewer', token);
      expect([changed.status, code(changed)]).toEqual([403, 'unscopedTokenRequired']);
      const removed = await token.ask('DELETE', `${USERS}/${owner.id}?revoke=true`);
      expect([removed.status, code(removed)]).toEqual([403, 'unscopedTokenRequired']);
      expect(JSON.stringify((await owner.ask('GET', USERS)).body)).not.toContain('eve@');
    });

    test('nor does it through something that it makes', async () => {
      const token = await makeToken(api, owner, T, { scope: 'provisioning' });
      const body = { email: 'eve@care.example', role: 'owner' };
      expect((await token.ask('POST', TOKENS, { body: { scope: 'provisioning runtime' } })).status).toBe(403);
      for (const made of [
        await makeToken(api, token, T),
        await makeToken(api, token, T, { scope: 'provisioning' }),
        await makeKey(api, token, T),
        await makeToken(api, await makeKey(api, token, T), T),
      ])
        expect(code(await made.ask('POST', USERS, { body }))).toBe('unscopedTokenRequired');
    });

    test('a JWT that narrows its key invites no one; one that opens all does, below its role', async () => {
      const narrow = await makeKey(api, owner, T, undefined, { scope: 'provisioning read' });
      const body = { email: 'jwt@care.example', role: 'viewer' };
      expect(code(await narrow.ask('POST', USERS, { body }))).toBe('unscopedTokenRequired');
      const wide = await makeKey(api, owner, T);
      expect((await wide.ask('POST', USERS, { body: { ...body, role: 'owner' } })).status).toBe(403);
      expect((await wide.ask('POST', USERS, { body })).status).toBe(200);
    });

    test('a token that expires makes neither people nor keys, and no token that lives longer', async () => {
      const token = await makeToken(api, owner, T, { expiresIn: 3600 });
      const invited = await token.ask('POST', USERS, { body: { email: 'e@care.example', role: 'viewer' } });
      expect([invited.status, code(invited)]).toEqual([403, 'makerEnds']);
      await expect(makeKey(api, token, T)).rejects.toThrow('makerEnds');
      const longer = await token.ask('POST', TOKENS, { body: { expiresIn: 3601 } });
      expect([longer.status, code(longer)]).toEqual([403, 'forbidden']);
      const same = must(await token.ask('POST', TOKENS, { body: {} }));
      expect(same.body.expiresAt).toBe(api.clock.now + 3_600_000);
    });

    test('a scoped token does not change the name to sign in with', async () => {
      const token = await makeToken(api, owner, T, { scope: 'provisioning' });
      const path = '/provisioning/currentuser/profile';
      const answer = await token.ask('PATCH', path, { body: { email: 'eve@care.example' } });
      expect([answer.status, code(answer)]).toEqual([403, 'unscopedTokenRequired']);
      expect((await token.ask('PATCH', path, { body: { firstName: 'Ada' } })).status).toBe(200);
    });

    test('takes a password less than five minutes old', async () => {
      const old = await person('tired', 'admin');
      api.clock.now += 300_000;
      const answer = await old.ask('POST', USERS, { body: { email: 'n@care.example', role: 'viewer' } });
      expect([answer.status, code(answer)]).toEqual([403, 'reauthenticationRequired']);
      owner = { ...owner, ...(await signedInAgain()) };
    });
  });

  /** The owner in a new session. */
  async function signedInAgain(): Promise<Pick<Maker, 'ask'>> {
    const { browse, browserOf } = await import('./people.ts');
    const browser = await browserOf(api, 'owner@care.example');
    return { ask: (method, path, asked = {}) => browse(api, browser, method, path, asked) };
  }

  describe('shrink with those of the maker, at every use', () => {
    test('tokens, keys, tokens of keys and people, and grow again with it', async () => {
      const maker = await person('maker', 'admin');
      const made: Maker[] = [await makeToken(api, maker, T), await makeKey(api, maker, T)];
      for (const each of [...made]) made.push(await makeToken(api, each, T));
      made.push(await person('friend', 'admin', maker));
      expect(await Promise.all(made.map(writes))).toEqual([200, 200, 200, 200, 200]);
      await role(maker.id, 'viewer');
      expect(await Promise.all(made.map(writes))).toEqual([403, 403, 403, 403, 403]);
      expect(await Promise.all(made.map(reads))).toEqual([200, 200, 200, 200, 200]);
      const { users } = (await owner.ask('GET', USERS)).body as { users: Record<string, unknown>[] };
      expect(users.find(({ email }) => email === 'friend@care.example')).toMatchObject({
        role: 'admin',
        effectiveRole: 'viewer',
        maker: maker.ref,
      });
      await role(maker.id, 'admin');
      expect(await Promise.all(made.map(writes))).toEqual([200, 200, 200, 200, 200]);
    });

    test('sites hear it in the form that every version of a host reads', async () => {
      const maker = await person('heard', 'admin');
      const token = await makeToken(api, maker, T);
      const key = await makeKey(api, maker, T, 'runtime');
      await role(maker.id, 'viewer');
      await role(maker.id, 'admin');
      const { store } = api.database;
      const tenant = (await tenantByDomain(store, T))?.id ?? '';
      const changes = await changesSince(store, 'tenant', tenant, 0, 10_000);
      const bodies = (maker: Maker) =>
        changes.filter(({ id }) => id === idOf(maker)).map(({ body }) => body as Record<string, unknown>);
      expect(bodies(token).map(({ role: given }) => given)).toEqual(['admin', 'viewer', 'admin']);
      expect(bodies(key).map(({ scope }) => scope)).toEqual(['runtime', 'read', 'runtime']);
      // Hosts of an earlier version refuse what they do not know.
      for (const body of [...bodies(token), ...bodies(key)]) expect(body).not.toHaveProperty('maker');
    });

    test('an invitation of a person who may invite no longer makes no one', async () => {
      const maker = await person('inviter', 'admin');
      const email = 'late-guest@care.example';
      const { body } = must(await maker.ask('POST', USERS, { body: { email, role: 'admin' } }));
      await role(maker.id, 'viewer');
      const take = () =>
        ask(api, 'POST', pathOf(body.link), { token: null, body: { email, password: PASSWORD } });
      expect(await take()).toMatchObject({ status: 403, body: { error: { code: 'forbidden' } } });
      await role(maker.id, 'admin');
      expect((await take()).status).toBe(200);
    });

    test('a claim code of a technician who is none any more lets no machine in', async () => {
      const maker = await person('technician', 'technician');
      const claim = must(await maker.ask('POST', `/site/${T}/north/claim`, { body: {} }));
      const { csr, sealKey } = await createMachine({ addresses: ['127.0.0.1'] });
      const request = { claimCode: String(claim.body.claimCode), hostId: 'x5', csr, sealKey, version: '1' };
      const actor = { name: 'machine', address: '192.0.2.9', requestId: '', at: api.clock.now };
      await role(maker.id, 'viewer');
      const refused = await stage.sites.enrolment.claim(request, actor);
      expect(refused).toMatchObject({ ok: false, error: { code: 'forbidden' } });
      expect(!refused.ok && refused.error.reason).toMatch(/creator of this claim code/);
      await role(maker.id, 'technician');
      expect(await stage.sites.enrolment.claim(request, actor)).toMatchObject({ ok: true });
    });

    test('an address of a file opens as long as who asked for it may read', async () => {
      const reader = await person('reader', 'viewer');
      const admin = await makeToken(api, owner, T);
      const sound = Buffer.alloc(44 + 16_000);
      sound.write('RIFF', 0);
      sound.writeUInt32LE(36 + 16_000, 4);
      sound.write('WAVEfmt ', 8);
      sound.writeUInt32LE(16, 16);
      sound.writeUInt16LE(1, 20);
      sound.writeUInt16LE(1, 22);
      sound.writeUInt32LE(8_000, 24);
      sound.writeUInt32LE(16_000, 28);
      sound.writeUInt16LE(2, 32);
      sound.writeUInt16LE(16, 34);
      sound.write('data', 36);
      sound.writeUInt32LE(16_000, 40);
      await api.prompts.put(
        {
          tenant: stage.tenant,
          domain: T,
          actor: { name: 'person:test', address: '', requestId: '', at: 1 },
        },
        'a.wav',
        new Blob([sound]).stream(),
      );
      const { body } = must(await reader.ask('GET', `/mediaservice/${T}/promptfile/a.wav/url`));
      const open = async () =>
        (await api.app.request(String(body.url).replace(/^https:\/\/[^/]+/, ''))).status;
      expect(await open()).toBe(200);
      must(await owner.ask('DELETE', `${USERS}/${reader.id}`));
      expect(await open()).toBe(403);
      expect(await reads(admin)).toBe(200);
    });
  });

  describe('a maker goes only when what it made was handed over or revoked', () => {
    const lost = (answer: Answer) => [answer.status, code(answer)];

    test('a key with a live token: 409 with the list; revoked, the token is dead', async () => {
      const key = await makeKey(api, owner, T);
      const token = await makeToken(api, key, T, { name: 'nightly' });
      const path = `${KEYS}/${idOf(key)}`;
      const refused = await owner.ask('DELETE', path);
      expect(lost(refused)).toEqual([409, 'makerInUse']);
      expect(refused.body.error).toMatchObject({
        count: 1,
        made: [{ kind: 'apitoken', id: idOf(token), name: 'nightly' }],
      });
      expect(await reads(token)).toBe(200);
      expect((await owner.ask('DELETE', `${path}?revoke=true`)).body).toEqual({ success: true });
      expect(await reads(token)).toBe(401);
      expect(lost(await owner.ask('DELETE', path))).toEqual([404, 'notFound']);
    });

    test('a token with live tokens, at any depth', async () => {
      const first = await makeToken(api, owner, T);
      const second = await makeToken(api, first, T);
      const third = await makeToken(api, second, T);
      const refused = await owner.ask('DELETE', `${TOKENS}/${idOf(first)}`);
      expect(refused.body.error).toMatchObject({ code: 'makerInUse', count: 2 });
      must(await owner.ask('DELETE', `${TOKENS}/${idOf(first)}?revoke=true`));
      expect(await Promise.all([second, third].map(reads))).toEqual([401, 401]);
    });

    test('handed over: it lives on under the successor, and has gained nothing', async () => {
      const maker = await person('leaver', 'admin');
      const other = await person('successor', 'owner');
      const token = await makeToken(api, maker, T);
      const nested = await makeToken(api, token, T, { scope: 'provisioning' });
      const key = await makeKey(api, maker, T);
      const path = `${USERS}/${maker.id}`;
      expect(lost(await owner.ask('DELETE', path))).toEqual([409, 'makerInUse']);
      must(await owner.ask('DELETE', `${path}?transferTo=${other.ref}`));
      expect(await Promise.all([token, nested, key].map(writes))).toEqual([200, 200, 200]);
      const body = { email: 'x@care.example', role: 'owner' };
      expect((await token.ask('POST', USERS, { body })).status).toBe(403);
      const { apitokens } = (await owner.ask('GET', TOKENS)).body as { apitokens: Record<string, unknown>[] };
      expect(apitokens.find(({ id }) => id === idOf(token))).toMatchObject({ maker: other.ref });
      const tenants = await token.ask('GET', '/provisioning/currentuser/profile');
      expect(tenants.body).toMatchObject({ profile: { email: 'successor@care.example' } });
      await role(other.id, 'viewer');
      expect(await Promise.all([token, nested, key].map(writes))).toEqual([403, 403, 403]);
    });

    test('a person may be followed by one it invited: that one takes its place', async () => {
      const founder = await person('founder', 'owner');
      const heir = await person('heir', 'owner', founder);
      const token = await makeToken(api, founder, T);
      must(await heir.ask('DELETE', `${USERS}/${founder.id}?transferTo=${heir.ref}`));
      expect(await Promise.all([heir, token].map(writes))).toEqual([200, 200]);
      const { users } = (await owner.ask('GET', USERS)).body as { users: Record<string, unknown>[] };
      const shown = users.find(({ id }) => id === heir.id);
      expect(shown).toMatchObject({ role: 'owner', maker: owner.ref });
      expect(shown).not.toHaveProperty('effectiveRole');
    });

    test('a demotion may hand over first, so that nothing shrinks', async () => {
      const maker = await person('moved', 'admin');
      const token = await makeToken(api, maker, T);
      must(await role(maker.id, 'viewer', owner, `?transferTo=${owner.ref}`));
      expect(await writes(token)).toBe(200);
    });

    test('claims and invitations count too, until they have ended', async () => {
      const maker = await person('many', 'admin');
      must(await maker.ask('POST', `/site/${T}/north/claim`, { body: { expiresIn: 600 } }));
      must(await maker.ask('POST', USERS, { body: { email: 'visitor@care.example', role: 'viewer' } }));
      const path = `${USERS}/${maker.id}`;
      const refused = await owner.ask('DELETE', path);
      const { made } = refused.body.error as { made: { kind: string }[] };
      expect(made.map(({ kind }) => kind)).toEqual(['invitation', 'claim']);
      must(await owner.ask('DELETE', `${path}?revoke=true`));
      expect(JSON.stringify((await owner.ask('GET', USERS)).body)).not.toContain('visitor@');
    });

    test('a wrong successor is named: none, the one that goes, one that expires', async () => {
      const maker = await person('stays', 'admin');
      await makeToken(api, maker, T);
      const brief = await makeToken(api, owner, T, { expiresIn: 60 });
      for (const to of ['person:nobody', maker.ref, brief.ref, 'person:platform-owner', 'nonsense']) {
        const answer = await owner.ask('DELETE', `${USERS}/${maker.id}?transferTo=${to}`);
        expect([to, ...lost(answer)]).toEqual([to, 400, 'invalid']);
      }
      const both = await owner.ask('DELETE', `${USERS}/${maker.id}?transferTo=${owner.ref}&revoke=true`);
      expect(lost(both)).toEqual([400, 'invalid']);
    });

    test('neither revocation nor demotion leaves a tenant without an owner', async () => {
      const refused = await platformOwner(api).ask('DELETE', `${USERS}/${owner.id}?revoke=true`);
      expect(lost(refused)).toEqual([409, 'lastOwner']);
      // Others have the role by the word of this owner only.
      expect(lost(await role(owner.id, 'admin', platformOwner(api)))).toEqual([409, 'lastOwner']);
    });

    test('an admin who revokes removes no owner in between', async () => {
      const key = await makeToken(api, owner, T);
      await person('their-owner', 'owner', key);
      const admin = await person('tidy', 'admin');
      const answer = await admin.ask('DELETE', `${TOKENS}/${idOf(key)}?revoke=true`);
      expect(lost(answer)).toEqual([403, 'forbidden']);
    });
  });
});
