import { type RenewAnswer, type RenewRequest, renewProof } from '#shared/contract/site/index.ts';
import { fail, ok, type Result } from '#shared/result.ts';
import { type Actor, mutate, readHost, recordAudit, updateHost } from '../../store/index.ts';
import { subjectOf } from '../lifecycle/host-lifecycle.ts';
import type { SitePort } from '../lifecycle/port.ts';
import { mayHoldCertificate } from './admission.ts';

const CHALLENGE_MS = 5 * 60_000;

const REFUSED = fail(
  'forbidden',
  'The certificate cannot be renewed: the host is not admitted with it. Enrol the machine again.',
);

/**
 * The next certificate of a host. Expired is not dead: the one held now may have ended, if the host still counts and
 * proves that it holds the key by signing a fresh challenge. The old one serves until the new one is used.
 */
export function renewal(port: SitePort) {
  const { store, authority, mac, random } = port;

  const challengeOf = (expiresAt: number, nonce: string): string => {
    const text = `${expiresAt}.${nonce}`;
    return `${text}.${mac(`renew ${text}`)}`;
  };

  const isOurs = (challenge: string, nowMs: number): boolean => {
    const [expiresAt = '', nonce = ''] = challenge.split('.');
    return challengeOf(Number(expiresAt), nonce) === challenge && Number(expiresAt) > nowMs;
  };

  return {
    challenge: (nowMs: number): { challenge: string; expiresAt: number } => {
      const expiresAt = nowMs + CHALLENGE_MS;
      const nonce = Buffer.from(random(16)).toString('base64url');
      return { challenge: challengeOf(expiresAt, nonce), expiresAt };
    },

    /** Fails with `forbidden`, or with `invalid` for the request itself. */
    renew: async (request: RenewRequest, actor: Actor): Promise<Result<RenewAnswer>> => {
      const held = await authority.readHost(request.certificate);
      if (!held.ok) return held;
      const proof = renewProof(request.challenge, request.csr);
      if (
        !isOurs(request.challenge, actor.at) ||
        !port.isSignedBy(held.value.publicKey, proof, request.signature)
      )
        return fail(
          'forbidden',
          'The certificate is not renewed: the challenge has expired or is not signed by the key of the certificate. Request a new challenge.',
        );
      const nextKey = await authority.requestKey(request.csr);
      if (!nextKey.ok) return nextKey;
      const host = await readHost(store, held.value.uid);
      const isCurrent = [host?.certSerial, host?.certNext].includes(held.value.serial);
      if (host === undefined || !isCurrent || !mayHoldCertificate(host.lifecycle)) return REFUSED;
      const issued = await authority.issueHost(request.csr, host, actor.at);
      if (!issued.ok) return issued;
      const { certificate, serial, expiresAt } = issued.value;
      const call = { tenant: host.tenant, domain: '', actor: { ...actor, name: `host:${host.uid}` } };
      return await mutate(store, call, async (tx) => {
        await updateHost(tx, host.uid, {
          certSerial: held.value.serial,
          certNext: serial,
          certExpires: expiresAt,
          publicKey: nextKey.value,
          generation: host.generation + 1,
        });
        await port.alarms.clear(tx, subjectOf(host), 'certificateExpiring', '');
        await recordAudit(tx, call.actor, {
          tenant: host.tenant,
          action: 'renew',
          entity: 'host',
          entityId: host.uid,
          detail: { generation: host.generation + 1, expiresAt },
        });
        const { ca } = authority;
        return ok({ success: true as const, certificate, ca, verifyKeys: [...port.verifyKeys], expiresAt });
      });
    },
  };
}
