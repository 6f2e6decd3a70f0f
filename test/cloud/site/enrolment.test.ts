import { createPrivateKey, sign, X509Certificate } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readClaimFile } from '#appliance/io/edge/index.ts';
import { createSites, tenantHeldByHosts } from '#cloud/site/index.ts';
import {
  auditAfter,
  changesSince,
  readHost,
  storeWith,
  updateHost,
  verifyAudit,
} from '#cloud/store/index.ts';
import { type EnrolledAnswer, renewProof } from '#shared/contract/site/index.ts';
import { actorAt, callAt, NOW, openSiteStage, type SiteStage, TENANT } from './stage.ts';

let stage: SiteStage;
beforeEach(async () => {
  stage = await openSiteStage();
});
afterEach(() => stage.close());

const MINUTE_MS = 60_000;

async function enrol(code: string, hostId?: string): Promise<EnrolledAnswer & { key: string }> {
  const { key, ...machine } = await stage.machine(code, hostId);
  const answer = await stage.sites.enrolment.claim(machine, actorAt(NOW));
  if (!answer.ok) throw new Error(answer.error.reason);
  if (answer.value.state !== 'enrolled') throw new Error('waits');
  return { ...answer.value, key };
}

describe('a machine with a good code', () => {
  it('becomes a host with certificate and keys, and comes into service by its first ACK', async () => {
    const answer = await enrol(await stage.claimCode({ labels: ['room=3'] }));
    expect(answer).toMatchObject({
      tenant: TENANT.id,
      domain: TENANT.domain,
      siteId: 'north',
      hostId: 'box-1',
    });
    const leaf = new X509Certificate(answer.certificate);
    expect(leaf.subject).toBe(`CN=${answer.uid}`);
    expect(leaf.checkPrivateKey(createPrivateKey(answer.key))).toBe(true);
    expect(answer.siteKey.d).toMatch(/^[\w-]{43}$/);
    expect(stage.changed).toEqual([answer.uid]);

    const commissioning = await stage.sites.overview(TENANT.id, NOW);
    expect(commissioning.site).toEqual([
      {
        hostName: 'box-1',
        hostId: 'box-1',
        hostLabels: ['ver=0.1.0', 'room=3'],
        status: 'commissioning',
        vendorSpecificDistressString: '',
        siteId: 'north',
      },
    ]);
    expect(commissioning.sites).toEqual([{ siteId: 'north', profile: 'standard' }]);

    const acknowledge = () =>
      stage.store.withTx((tx) => stage.sites.report.acknowledged(tx, answer.uid, actorAt(NOW + MINUTE_MS)));
    expect(await acknowledge()).toBe(true);
    expect(await acknowledge()).toBe(false);
    expect((await readHost(stage.store, answer.uid))?.lifecycle).toBe('active');
    expect((await stage.sites.overview(TENANT.id, NOW)).site[0]?.status).toBe('offline');
  });

  it('is reported to the peers of its site and to itself, and in the audit', async () => {
    const answer = await enrol(await stage.claimCode());
    const site = await changesSince(stage.store, 'site', `${TENANT.id}/north`, 0, 10);
    expect(site.map(({ entity, id }) => [entity, id])).toEqual([
      ['site', 'north'],
      ['host', answer.uid],
    ]);
    expect(site[0]?.body).toMatchObject({ siteKey: { kid: answer.siteKey.kid } });
    expect(JSON.stringify(site)).not.toContain(answer.siteKey.d);
    expect(await changesSince(stage.store, 'host', answer.uid, 0, 10)).toHaveLength(1);
    const audit = await auditAfter(stage.store, TENANT.id, 0, 100);
    expect(audit.map(({ action, entity }) => `${action} ${entity}`)).toEqual([
      'create site',
      'create claim',
      'claim host',
      'commissioning host',
    ]);
    expect(verifyAudit(audit, stage.port.sha256)).toBeNull();
  });

  it('gets the same uid when it asks again, and uses nothing up', async () => {
    const code = await stage.claimCode();
    const { key: _, ...machine } = await stage.machine(code.toLowerCase().replace(/(.{5})/, '$1-'));
    const first = await stage.sites.enrolment.claim(machine, actorAt(NOW));
    const second = await stage.sites.enrolment.claim(machine, actorAt(NOW + 2 * 3_600_000));
    if (!first.ok || !second.ok) throw new Error('refused');
    expect(second.value.uid).toBe(first.value.uid);
    // With another seal key than before: the old one is lost, and nothing more is sealed for it.
    const sealKey = { ...machine.sealKey, x: 'A'.repeat(43) };
    stage.changed.length = 0;
    await stage.sites.enrolment.claim({ ...machine, sealKey }, actorAt(NOW + 3 * 3_600_000));
    expect((await readHost(stage.store, first.value.uid))?.sealKey).toEqual(sealKey);
    expect(stage.changed).toEqual([first.value.uid]);
    const other = await stage.sites.enrolment.claim(await stage.machine(code, 'box-2'), actorAt(NOW));
    expect(other).toMatchObject({ ok: false, error: { code: 'forbidden' } });
  });

  it('is one host with one certificate when it asks again before the first answer is there', async () => {
    const code = await stage.claimCode();
    const { key: _, ...machine } = await stage.machine(code);
    const [lost, received] = await Promise.all([
      stage.sites.enrolment.claim(machine, actorAt(NOW)),
      stage.sites.enrolment.claim(machine, actorAt(NOW + 10_000)),
    ]);
    expect(received).toMatchObject({ ok: true, value: { state: 'enrolled', hostId: 'box-1' } });
    expect(received).toEqual(lost);
    // The other one of the same name, at the same time, has another key.
    const stranger = await stage.machine(await stage.claimCode({ uses: 2 }), 'box-1');
    expect(await stage.sites.enrolment.claim(stranger, actorAt(NOW + 10_000))).toMatchObject({
      ok: false,
      error: { code: 'conflict', path: '/hostId' },
    });
    expect((await stage.sites.overview(TENANT.id, NOW)).site).toHaveLength(1);
  });

  it('gets the answer again that came too late, and a new one when that is of no use any more', async () => {
    const code = await stage.claimCode();
    const { key: _, ...machine } = await stage.machine(code);
    const ask = (afterMs: number, request = machine) =>
      stage.sites.enrolment.claim(request, actorAt(NOW + afterMs));
    const first = await ask(0);
    if (!first.ok || first.value.state !== 'enrolled') throw new Error('refused');
    const { uid } = first.value;
    const serials = async () => {
      const host = await readHost(stage.store, uid);
      return [host?.certSerial, host?.certNext];
    };
    const before = await serials();
    expect(await ask(30_000)).toEqual(first);
    expect(await ask(110_000)).toEqual(first);
    expect(await serials()).toEqual(before);
    // Too old, then replaced by one with another key to seal with.
    const later = await ask(120_000);
    expect(later).toMatchObject({ ok: true, value: { uid } });
    expect(later).not.toEqual(first);
    const sealKey = { ...machine.sealKey, x: 'A'.repeat(43) };
    await ask(130_000, { ...machine, sealKey });
    const back = await ask(140_000);
    expect(back).not.toEqual(later);
    expect((await readHost(stage.store, uid))?.sealKey).toEqual(machine.sealKey);
    // A host that may hold no certificate gets none, however soon it asks.
    await stage.store.withTx((tx) => updateHost(tx, uid, { lifecycle: 'decommissioned' }));
    expect(await ask(150_000)).toMatchObject({ ok: false, error: { code: 'forbidden' } });
  });

  it('waits for others of its tenant without a transaction of its own', async () => {
    let open = 0;
    let most = 0;
    let begun = 0;
    const store = storeWith(stage.store, {
      withTx: async (work) => {
        begun += 1;
        open += 1;
        most = Math.max(most, open);
        try {
          if (begun === 2) throw new Error('the connection was lost');
          return await stage.store.withTx(work);
        } finally {
          open -= 1;
        }
      },
    });
    const { enrolment } = createSites({ ...stage.port, store });
    const code = await stage.claimCode({ uses: 9 });
    const machines = await Promise.all(
      ['box-1', 'box-2', 'box-3', 'box-4'].map((name) => stage.machine(code, name)),
    );
    const claims = await Promise.allSettled(
      machines.map(({ key: _, ...machine }) => enrolment.claim(machine, actorAt(NOW))),
    );
    // One that ends in an error lets the next one go on.
    const ended = claims.map((claim) => (claim.status === 'fulfilled' ? claim.value.ok : 'error'));
    expect(ended.toSorted()).toEqual(['error', true, true, true]);
    expect(most).toBe(1);
  });

  it.each([
    { what: 'comes into service', autoCommission: true, state: 'enrolled' },
    { what: 'waits for commission', autoCommission: false, state: 'waiting' },
  ])('is one host when two processes hear it at once: $what', async ({ autoCommission, state }) => {
    const other = createSites(stage.port);
    const code = await stage.claimCode({ uses: 3, autoCommission });
    const { key: _, ...machine } = await stage.machine(code);
    const answers = await Promise.all(
      [stage.sites, other, stage.sites, other].map((sites, n) =>
        sites.enrolment.claim({ ...machine, serial: `asked-${n}` }, actorAt(NOW + n)),
      ),
    );
    const [first] = answers;
    if (!first?.ok) throw new Error('refused');
    const { uid } = first.value;
    for (const answer of answers) expect(answer).toMatchObject({ ok: true, value: { state, uid } });
    // Two uses are left: only the machine that came counts, not how often it asked.
    for (const name of ['box-2', 'box-3'])
      expect((await stage.sites.enrolment.claim(await stage.machine(code, name), actorAt(NOW))).ok).toBe(
        true,
      );
    expect((await stage.sites.enrolment.claim(await stage.machine(code, 'box-4'), actorAt(NOW))).ok).toBe(
      false,
    );
  });

  it('is one host when it comes back after a release, received by two processes at once', async () => {
    const { uid } = await enrol(await stage.claimCode());
    await stage.store.withTx((tx) => updateHost(tx, uid, { lifecycle: 'quarantined' }));
    const released = await stage.sites.life.release(callAt(NOW), { siteId: 'north', hostId: 'box-1' });
    if (!released.ok) throw new Error(released.error.reason);
    const { key: _, ...machine } = await stage.machine(released.value.claimCode);
    const answers = await Promise.all(
      [stage.sites, createSites(stage.port)].map((sites) => sites.enrolment.claim(machine, actorAt(NOW))),
    );
    for (const answer of answers)
      expect(answer).toMatchObject({ ok: true, value: { state: 'enrolled', uid } });
    const others = await stage.sites.enrolment.claim(
      await stage.machine(released.value.claimCode),
      actorAt(NOW),
    );
    expect(others).toMatchObject({ ok: false, error: { code: 'forbidden' } });
  });

  it('waits for commission when the claim says so', async () => {
    const { key: _, ...machine } = await stage.machine(await stage.claimCode({ autoCommission: false }));
    const answer = await stage.sites.enrolment.claim(machine, actorAt(NOW));
    expect(answer).toMatchObject({ ok: true, value: { state: 'waiting', retryAfterS: 30 } });
    if (!answer.ok) throw new Error('refused');
    expect(await stage.sites.admit(answer.value.uid, undefined, 'broker', actorAt(NOW))).toBeUndefined();
    await stage.store.withTx((tx) => updateHost(tx, answer.value.uid, { lifecycle: 'commissioning' }));
    const commissioned = await stage.sites.enrolment.claim(machine, actorAt(NOW + MINUTE_MS));
    expect(commissioned).toMatchObject({ ok: true, value: { state: 'enrolled', uid: answer.value.uid } });
  });

  it('takes the name the claim fixes; a name in use is a conflict', async () => {
    expect((await enrol(await stage.claimCode({ hostId: 'fixed' }))).hostId).toBe('fixed');
    const again = await stage.sites.enrolment.claim(
      await stage.machine(await stage.claimCode(), 'fixed'),
      actorAt(NOW),
    );
    expect(again).toMatchObject({ ok: false, error: { code: 'conflict', path: '/hostId' } });
  });

  it('holds its site and its tenant', async () => {
    await enrol(await stage.claimCode());
    expect(await stage.sites.site.remove(callAt(NOW), 'north')).toMatchObject({
      ok: false,
      error: { code: 'conflict' },
    });
    expect(await stage.store.withTx((tx) => tenantHeldByHosts(tx, TENANT.id))).toContain('1 hosts');
  });
});

describe('a machine without leave', () => {
  const claim = async (code: string, serial?: string, address = '192.0.2.9', at = NOW) => {
    const { key: _, ...machine } = await stage.machine(code);
    return await stage.sites.enrolment.claim(
      serial === undefined ? machine : { ...machine, serial },
      actorAt(at, address),
    );
  };

  it('is refused for a wrong, expired or foreign code', async () => {
    const forbidden = { ok: false, error: { code: 'forbidden' } };
    expect(await claim('0123456789')).toMatchObject(forbidden);
    expect(await claim(await stage.claimCode(), undefined, '192.0.2.9', NOW + 3_600_000)).toMatchObject(
      forbidden,
    );
    const serials = await stage.claimCode({ serials: ['A1'] });
    expect(await claim(serials)).toMatchObject(forbidden);
    expect(await claim(serials, 'A2')).toMatchObject(forbidden);
    expect(await claim(serials, 'A1')).toMatchObject({ ok: true });
  });

  it('is ignored for 15 minutes after 5 wrong tries, and reported once an hour', async () => {
    const code = await stage.claimCode({ expiresIn: 86_400 });
    for (let i = 0; i < 5; i++) await claim('0000000000');
    expect(await claim(code)).toMatchObject({ ok: false, error: { code: 'tooManyRequests' } });
    expect(stage.unknown).toEqual(['192.0.2.9']);
    expect(await claim(code, undefined, '192.0.2.10')).toMatchObject({ ok: true });
    const later = await stage.claimCode({ expiresIn: 86_400 });
    const at = NOW + 15 * MINUTE_MS + 1;
    const { key: _, ...machine } = await stage.machine(later, 'box-2');
    expect(await stage.sites.enrolment.claim(machine, actorAt(at, '192.0.2.9'))).toMatchObject({ ok: true });
  });

  it('is ignored after 100 wrong tries in an hour from a network with one of them; other machines enrol', async () => {
    const refused = { ok: false, error: { code: 'tooManyRequests' } };
    for (let i = 0; i < 100; i++) await claim('0000000000', undefined, `198.51.100.${i}`);
    const code = await stage.claimCode();
    expect(await claim(code, undefined, '198.51.100.7')).toMatchObject(refused);
    expect(await claim('0000000000', undefined, '203.0.113.1')).toMatchObject({
      error: { code: 'forbidden' },
    });
    expect(await claim(code, undefined, '203.0.113.1')).toMatchObject(refused);
    expect(await claim(code, undefined, '203.0.113.2')).toMatchObject({ ok: true });
  });

  it('counts a network of IPv6 as one source, whatever the address in it', async () => {
    for (let i = 1; i <= 5; i++) await claim('0000000000', undefined, `2001:db8:1:2::${i}`);
    const code = await stage.claimCode();
    expect(await claim(code, undefined, '2001:db8:1:2:a::9')).toMatchObject({
      ok: false,
      error: { code: 'tooManyRequests' },
    });
    expect(await claim(code, undefined, '2001:db8:1:3::1')).toMatchObject({ ok: true });
  });
});

describe('a certificate', () => {
  const renew = async (
    host: EnrolledAnswer & { key: string },
    at: number,
    changes: { key?: string } = {},
  ) => {
    const { challenge } = stage.sites.renewal.challenge(at);
    const { csr, key } = await stage.machine('');
    const signature = sign('sha256', Buffer.from(renewProof(challenge, csr)), {
      key: changes.key ?? host.key,
      dsaEncoding: 'ieee-p1363',
    }).toString('base64url');
    const request = { certificate: host.certificate, csr, challenge, signature };
    return { result: await stage.sites.renewal.renew(request, actorAt(at)), request, key };
  };
  const serialOf = (certificate: string) => new X509Certificate(certificate).serialNumber.toLowerCase();
  const admit = (uid: string, certificate: string, at = NOW) =>
    stage.sites.admit(uid, serialOf(certificate), 'broker', actorAt(at));

  it('is renewed by proof of the key, also long after its end; the old one serves until the new one is used', async () => {
    const host = await enrol(await stage.claimCode());
    const { result } = await renew(host, NOW + 200 * 86_400_000);
    if (!result.ok) throw new Error(result.error.reason);
    expect(await admit(host.uid, host.certificate)).toBeDefined();
    expect(await admit(host.uid, result.value.certificate)).toBeDefined();
    expect((await readHost(stage.store, host.uid))?.generation).toBe(2);
    // A connection of the host itself may still carry the old one; after a while it is that of a copy.
    expect(await admit(host.uid, host.certificate, NOW + 9 * MINUTE_MS)).toBeUndefined();
    expect((await readHost(stage.store, host.uid))?.lifecycle).toBe('commissioning');
    expect(await admit(host.uid, host.certificate, NOW + 11 * MINUTE_MS)).toBeUndefined();
    expect((await readHost(stage.store, host.uid))?.lifecycle).toBe('quarantined');
    expect(stage.changed.at(-1)).toBe(host.uid);
    expect(await admit(host.uid, result.value.certificate)).toBeUndefined();
    expect(
      await stage.sites.admit(host.uid, serialOf(result.value.certificate), 'edge', actorAt(NOW)),
    ).toBeDefined();
  });

  it('is not renewed with another key, an old challenge, a made-up challenge or after quarantine', async () => {
    const host = await enrol(await stage.claimCode());
    const forbidden = { ok: false, error: { code: 'forbidden' } };
    expect((await renew(host, NOW, { key: (await stage.machine('')).key })).result).toMatchObject(forbidden);
    const { request } = await renew(host, NOW);
    expect(await stage.sites.renewal.renew(request, actorAt(NOW + 6 * MINUTE_MS))).toMatchObject(forbidden);
    const longer = { ...request, challenge: request.challenge.replace(/^\d+/, String(NOW + 1e9)) };
    expect(await stage.sites.renewal.renew(longer, actorAt(NOW))).toMatchObject(forbidden);
    await stage.store.withTx((tx) => updateHost(tx, host.uid, { lifecycle: 'quarantined' }));
    expect((await renew(host, NOW)).result).toMatchObject(forbidden);
  });

  it('opens nothing for a uid that is not known', async () => {
    expect(
      await stage.sites.admit('01j00000000000000000000000', undefined, 'broker', actorAt(NOW)),
    ).toBeUndefined();
  });
});

describe('claims', () => {
  it('come as a file for a machine without network', async () => {
    const claimCode = await stage.claimCode({ hostId: 'box-7' });
    const file = await stage.sites.claim.file(callAt(NOW), 'north', claimCode.toLowerCase());
    expect(file).toMatchObject({
      ok: true,
      value: { kind: 'carillon-claim', domain: TENANT.domain, siteId: 'north', hostId: 'box-7' },
    });
    // As a machine reads it that has never heard of us.
    const text = JSON.stringify(file.ok && file.value);
    expect(await readClaimFile(text, NOW)).toEqual(file);
    expect(await readClaimFile(text, NOW + 366 * 86_400_000)).toMatchObject({ error: { code: 'over' } });
    expect(await stage.sites.claim.file(callAt(NOW), 'south', claimCode)).toMatchObject({ ok: false });
    expect(
      await stage.sites.claim.file({ ...callAt(NOW), tenant: 'other' }, 'north', claimCode),
    ).toMatchObject({ ok: false });
  });

  it('are for sites that exist', async () => {
    const request = { expiresIn: 60, uses: 1, autoCommission: true };
    expect(await stage.sites.claim.create(callAt(NOW), 'south', request)).toMatchObject({
      ok: false,
      error: { code: 'notFound' },
    });
  });
});
