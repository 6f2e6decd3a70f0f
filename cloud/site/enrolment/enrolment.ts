import { shardOf } from '#shared/contract/feed/index.ts';
import {
  type ClaimHostAnswer,
  type ClaimHostRequest,
  claimCodeFault,
  claimCodeFaultText,
  type EnrolledAnswer,
  type SiteKey,
} from '#shared/contract/site/index.ts';
import { ulid } from '#shared/id.ts';
import { fail, ok, type Result } from '#shared/result.ts';
import { Turns } from '#shared/turns.ts';
import {
  type Actor,
  type Call,
  type ClaimRow,
  type HostRow,
  hostByName,
  hostsOfClaim,
  insertHost,
  mutate,
  readClaim,
  readHost,
  readSite,
  recordAudit,
  setClaimUsed,
  siteKeyPlace,
  type Tx,
  tenantById,
  updateHost,
} from '../../store/index.ts';
import { claimHash } from '../lifecycle/claim.ts';
import type { HostLifecycle } from '../lifecycle/host-lifecycle.ts';
import type { IssuedCertificate, SitePort } from '../lifecycle/port.ts';
import { mayHoldCertificate } from './admission.ts';
import { RecentAnswers } from './recent-answers.ts';
import { WrongTries } from './wrong-try.ts';

const MAKER_REMOVED = fail(
  'forbidden',
  'The enrolment is refused: the creator of this claim code may no longer add hosts. Ask an administrator of the tenant for a new code.',
);

/** While it waits for commission, a machine asks again this often. */
const POLL_S = 30;

const NO_LEAVE = fail(
  'forbidden',
  'The enrolment is refused: the claim code is wrong, used up, expired or not for this machine. Check the code, or ask for a new one.',
);

/**
 * A machine becomes a host:
 *
 *     – ── claim code ──▶ claimed ── autoCommission, or commission ──▶ commissioning ── first config ACK ──▶ active
 *
 * The same machine (same key) may ask again with the same code, because its answer got lost or because it waits for
 * commission; it gets the same uid and uses nothing up.
 */
export function enrolment(port: SitePort, course: HostLifecycle) {
  const { store, random, sha256, authority, vault } = port;
  const wrong = new WrongTries(port);
  /**
   * A machine that waited too long asks again while its first request is under way, or just done: both get one answer. Decided one
   * by one, the one that no caller waits for could replace the certificate that the other one brought.
   */
  const recent = new RecentAnswers();
  /** By tenant. */
  const turns = new Turns();

  /**
   * Enrolments of a tenant are written one after the other, for each takes the turn of the tenant. They wait for it here, and not each with
   * a connection to the database: those are few, and a hundred machines at once would take them from all others.
   */
  const written = <T>(call: Call, work: (tx: Tx) => Promise<Result<T>>): Promise<Result<T>> =>
    turns.run(call.tenant, () => mutate(store, call, work));

  /** Fails with `forbidden`, `tooManyRequests`, `invalid` (the CSR) or `conflict` (the name is taken). */
  async function claim(request: ClaimHostRequest, actor: Actor): Promise<Result<ClaimHostAnswer>> {
    const blocked = await wrong.check(actor.address, actor.at);
    if (blocked !== undefined) return blocked;
    const leave = await readClaim(store, claimHash(sha256, request.claimCode));
    if (leave === undefined) {
      const fault = claimCodeFault(request.claimCode);
      return await refused(
        actor,
        fault === undefined ? NO_LEAVE : fail('forbidden', claimCodeFaultText(fault)),
      );
    }
    const publicKey = await authority.requestKey(request.csr);
    if (!publicKey.ok) return publicKey;
    const { hostId, serial, sealKey } = request;
    const same = JSON.stringify([leave.hash, publicKey.value, hostId, serial, sealKey]);
    const begun = recent.begun(same);
    if (begun !== undefined) return await begun;
    const given = recent.given(same, actor.at);
    if (given !== undefined && (await stands(given))) return ok(given);
    const answer = decide(leave, request, publicKey.value, actor);
    recent.keep(same, answer, actor.at);
    return await answer;
  }

  /** Whether this is the newest certificate of its host, and the host may still hold one. */
  async function stands({ uid, certificate }: EnrolledAnswer): Promise<boolean> {
    const host = await readHost(store, uid);
    const held = await authority.readHost(certificate);
    return (
      host !== undefined &&
      held.ok &&
      mayHoldCertificate(host.lifecycle) &&
      (host.certNext ?? host.certSerial) === held.value.serial
    );
  }

  async function decide(
    leave: ClaimRow,
    request: ClaimHostRequest,
    publicKey: string,
    actor: Actor,
  ): Promise<Result<ClaimHostAnswer>> {
    const hosts = await hostsOfClaim(store, leave.hash, publicKey);
    const known = hosts.find((host) => host.publicKey === publicKey);
    if (known !== undefined) return await repeated(known, request, actor);
    if (!isFor(leave, request, actor.at)) return await refused(actor);
    const released = hosts.find((host) => host.publicKey === '' && host.lifecycle === 'claimed');
    const joined =
      released === undefined
        ? await join(leave, request, publicKey, actor)
        : await rejoin(leave, released, request, publicKey, actor);
    if (joined.ok) return joined;
    // Refused for what the machine itself did just now, by a request that another process has decided: only a transaction
    // is sure to see that.
    const own = await store.withTx((tx) => hostsOfClaim(tx, leave.hash, publicKey));
    const became = own.find((host) => host.publicKey === publicKey);
    return became === undefined ? joined : await repeated(became, request, actor);
  }

  /** A machine that is a host already, or waits to be one. */
  async function repeated(
    host: HostRow,
    request: ClaimHostRequest,
    actor: Actor,
  ): Promise<Result<ClaimHostAnswer>> {
    if (host.lifecycle === 'claimed') return ok(waiting(host));
    return mayHoldCertificate(host.lifecycle) ? await again(host, request, actor) : NO_LEAVE;
  }

  async function refused(actor: Actor, answer = NO_LEAVE) {
    if (await wrong.note(actor.address, actor.at)) port.onUnknownHost(actor.address);
    return answer;
  }

  /** A machine not seen before. */
  async function join(
    leave: ClaimRow,
    request: ClaimHostRequest,
    publicKey: string,
    machine: Actor,
  ): Promise<Result<ClaimHostAnswer>> {
    const uid = ulid(machine.at, random(10));
    const actor = { ...machine, name: `host:${uid}` };
    const issued = leave.autoCommission
      ? await authority.issueHost(request.csr, { ...leave, uid }, actor.at)
      : undefined;
    if (issued?.ok === false) return issued;
    const row = newHost(leave, request, uid, publicKey, issued?.value, actor.at);
    const joined = await written({ tenant: leave.tenant, domain: '', actor }, async (tx) => {
      const current = await readClaim(tx, leave.hash);
      if (current === undefined || current.used >= current.uses) return NO_LEAVE;
      if (!(await port.mayClaim(tx, current.tenant, current.maker, actor.at))) return MAKER_REMOVED;
      if ((await hostByName(tx, row.tenant, row.siteId, row.hostId)) !== undefined)
        return fail(
          'conflict',
          `The enrolment is refused: the site has a host ${row.hostId} already. Choose another name.`,
          '/hostId',
        );
      await setClaimUsed(tx, leave.hash, current.used + 1);
      await insertHost(tx, row);
      await recordAudit(tx, actor, {
        tenant: row.tenant,
        action: 'claim',
        entity: 'host',
        entityId: uid,
        detail: {
          after: { siteId: row.siteId, hostId: row.hostId, serial: row.serial, version: row.version },
        },
      });
      if (issued === undefined) return ok(waiting(row));
      return await intoService(tx, actor, row, issued.value);
    });
    if (joined.ok) port.onHostChanged(uid);
    return joined;
  }

  /** Commission without a person: the claim said so. */
  async function intoService(
    tx: Tx,
    actor: Actor,
    row: HostRow,
    issued: IssuedCertificate,
  ): Promise<Result<EnrolledAnswer>> {
    const lived = await course.live(tx, actor, row, { kind: 'commission' });
    if (!lived.ok) return lived;
    await course.begin(tx, actor, lived.value.host, 'commission');
    return ok(await enrolled(tx, row, issued));
  }

  /** A host that was quarantined and released comes with a new key, under its old name and uid. */
  async function rejoin(
    leave: ClaimRow,
    host: HostRow,
    request: ClaimHostRequest,
    publicKey: string,
    machine: Actor,
  ): Promise<Result<ClaimHostAnswer>> {
    const actor = { ...machine, name: `host:${host.uid}` };
    const issued = await authority.issueHost(request.csr, host, actor.at);
    if (!issued.ok) return issued;
    const { serial, expiresAt } = issued.value;
    const set = {
      publicKey,
      sealKey: { ...request.sealKey },
      certSerial: serial,
      certNext: null,
      certSince: actor.at,
      certExpires: expiresAt,
      generation: host.generation + 1,
      version: request.version,
      // It may be another machine in the place of the one before.
      ...(request.serial === undefined ? {} : { serial: request.serial }),
    };
    const call = { tenant: host.tenant, domain: '', actor };
    const joined = await written<ClaimHostAnswer>(call, async (tx) => {
      const current = await readHost(tx, host.uid);
      if (current === undefined || current.publicKey !== '' || leave.used > 0) return NO_LEAVE;
      if (!(await port.mayClaim(tx, leave.tenant, leave.maker, actor.at))) return MAKER_REMOVED;
      await setClaimUsed(tx, leave.hash, 1);
      await updateHost(tx, host.uid, set);
      return await intoService(tx, actor, { ...current, ...set }, issued.value);
    });
    if (joined.ok) port.onHostChanged(host.uid);
    return joined;
  }

  /** A host that asks once more: its certificate is replaced, the one it may have got stays good until then. */
  async function again(
    host: HostRow,
    request: ClaimHostRequest,
    machine: Actor,
  ): Promise<Result<ClaimHostAnswer>> {
    const actor = { ...machine, name: `host:${host.uid}` };
    const issued = await authority.issueHost(request.csr, host, actor.at);
    if (!issued.ok) return issued;
    const { serial, expiresAt } = issued.value;
    const joined = await written<ClaimHostAnswer>({ tenant: host.tenant, domain: '', actor }, async (tx) => {
      const current = await readHost(tx, host.uid);
      if (current?.publicKey !== host.publicKey || !mayHoldCertificate(current.lifecycle)) return NO_LEAVE;
      const first = current.certSerial === null;
      await updateHost(tx, host.uid, {
        ...(first ? { certSerial: serial } : { certNext: serial }),
        certExpires: expiresAt,
        // It may have lost the one it came with: what is secret is sealed for this one from now on.
        sealKey: { ...request.sealKey },
      });
      await recordAudit(tx, actor, {
        tenant: host.tenant,
        action: 'claim again',
        entity: 'host',
        entityId: host.uid,
      });
      return ok(await enrolled(tx, host, issued.value));
    });
    if (joined.ok) port.onHostChanged(host.uid);
    return joined;
  }

  async function enrolled(tx: Tx, host: HostRow, issued: IssuedCertificate): Promise<EnrolledAnswer> {
    const site = await readSite(tx, host.tenant, host.siteId);
    const tenant = await tenantById(tx, host.tenant);
    if (site === undefined || tenant === undefined)
      throw new Error(`host ${host.uid} without site or tenant`);
    const { edgeUrl, brokerUrl, brokerUrls, plainJwt } = port.reach();
    return {
      success: true,
      state: 'enrolled',
      uid: host.uid,
      tenant: host.tenant,
      domain: tenant.domain,
      siteId: host.siteId,
      hostId: host.hostId,
      certificate: issued.certificate,
      ca: authority.ca,
      edgeUrl,
      brokerUrl,
      ...(brokerUrls !== undefined && { brokerUrls: [...brokerUrls] }),
      mqtt: { plainJwt },
      verifyKeys: [...port.verifyKeys],
      siteKey: JSON.parse(vault.open(site.keySealed, siteKeyPlace(host.tenant, host.siteId))) as SiteKey,
      shard: host.sh,
    };
  }

  function newHost(
    leave: ClaimRow,
    request: ClaimHostRequest,
    uid: string,
    publicKey: string,
    issued: IssuedCertificate | undefined,
    at: number,
  ): HostRow {
    return {
      uid,
      tenant: leave.tenant,
      siteId: leave.siteId,
      hostId: leave.hostId ?? request.hostId,
      sh: shardOf(uid, sha256),
      lifecycle: 'claimed',
      lifecycleSince: at,
      labels: [...new Set([...leave.labels, ...(request.labels ?? [])])],
      serial: request.serial ?? null,
      publicKey,
      sealKey: { ...request.sealKey },
      certSerial: issued?.serial ?? null,
      certNext: null,
      certSince: at,
      certExpires: issued?.expiresAt ?? null,
      generation: 1,
      version: request.version,
      siteBaseUrl: request.siteBaseUrl ?? null,
      network: null,
      course: null,
      operation: null,
      claim: leave.hash,
      twinRev: 0,
      twinBody: null,
      createdAt: at,
    };
  }

  return { claim };
}

const waiting = ({ uid, siteId, hostId }: HostRow): ClaimHostAnswer => ({
  success: true,
  state: 'waiting',
  uid,
  siteId,
  hostId,
  retryAfterS: POLL_S,
});

/** Whether the claim speaks of this machine and still counts. Whether it is used up, only a new machine is asked. */
function isFor(claim: ClaimRow, request: ClaimHostRequest, at: number): boolean {
  if (claim.expiresAt <= at) return false;
  return claim.serials === null || (request.serial !== undefined && claim.serials.includes(request.serial));
}
