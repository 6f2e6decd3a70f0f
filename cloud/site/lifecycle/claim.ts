import {
  CLAIM_TYP,
  type ClaimFile,
  type ClaimRequest,
  claimCodeFrom,
  isLongClaimCode,
  longClaimCodeFrom,
  typedClaimCode,
} from '#shared/contract/site/index.ts';
import { fail, ok, type Result } from '#shared/result.ts';
import { type Call, insertClaim, mutate, readClaim, readSite, recordAudit } from '../../store/index.ts';
import type { SitePort } from './port.ts';
import { unknownSite } from './site.ts';

/** Hash under which a claim is stored. The code to type has 50 bits and a limit of tries, so no slow hash is needed. */
export const claimHash = (sha256: (text: string) => string, code: string): string =>
  sha256(`carillon-claim ${typedClaimCode(code)}`);

/**
 * Both codes of one claim, and what is stored of them. The long one is made of the typed one and a salt of 130 bits: whoever
 * shows the typed one gets it again (the file), whoever has only guessed at it cannot, and the store can give away neither.
 */
export function claimCodes({ random, sha256 }: Pick<SitePort, 'random' | 'sha256'>) {
  const claimCode = claimCodeFrom(random(10));
  const longSalt = longClaimCodeFrom(random(26));
  const longCode = longOf(sha256, longSalt, claimCode);
  const stored = { hash: claimHash(sha256, claimCode), longHash: claimHash(sha256, longCode), longSalt };
  return { shown: { claimCode, longCode }, stored };
}

function longOf(sha256: (text: string) => string, salt: string, claimCode: string): string {
  const pairs = sha256(`carillon-claim-long ${salt} ${claimCode}`).match(/../g) ?? [];
  return longClaimCodeFrom(Uint8Array.from(pairs, (pair) => Number.parseInt(pair, 16)));
}

export interface ShownClaim {
  readonly claimCode: string;
  readonly longCode: string;
  readonly expiresAt: number;
}

/** Leave for machines to become hosts. */
export function claims(port: SitePort) {
  const { store, sha256, authority, reach } = port;
  return {
    /** The codes are shown once, hence never repeated for the same Idempotency-Key. */
    create: (
      { once: _, ...call }: Call,
      siteId: string,
      request: ClaimRequest,
    ): Promise<Result<ShownClaim>> =>
      mutate(store, call, async (tx) => {
        if ((await readSite(tx, call.tenant, siteId)) === undefined) return unknownSite(siteId);
        const at = call.actor.at;
        const { shown, stored } = claimCodes(port);
        const expiresAt = at + request.expiresIn * 1000;
        await insertClaim(tx, {
          ...stored,
          tenant: call.tenant,
          siteId,
          hostId: request.hostId ?? null,
          uses: request.uses,
          used: 0,
          serials: request.serials ?? null,
          labels: request.labels ?? [],
          autoCommission: request.autoCommission,
          createdAt: at,
          expiresAt,
          maker: call.actor.name,
        });
        await recordAudit(tx, call.actor, {
          tenant: call.tenant,
          action: 'create',
          entity: 'claim',
          entityId: stored.hash.slice(0, 12),
          detail: { after: { siteId, ...request, expiresAt } },
        });
        return ok({ ...shown, expiresAt });
      }),

    /** The data that a machine needs to enrol by the claim that has this code, either of the two, as a file. */
    file: async (call: Call, siteId: string, code: string): Promise<Result<ClaimFile>> => {
      const given = typedClaimCode(code);
      const row = await readClaim(store, claimHash(sha256, given));
      if (row === undefined || row.tenant !== call.tenant || row.siteId !== siteId)
        return fail('notFound', 'The claim does not exist. Check the claim code.');
      const [key] = port.verifyKeys;
      if (key === undefined) throw new Error('there is no key that signs');
      const claimCode =
        row.longSalt === null || isLongClaimCode(given) ? given : longOf(sha256, row.longSalt, given);
      const file = {
        v: 1,
        kind: 'carillon-claim',
        cloud: reach().publicUrl,
        domain: call.domain,
        siteId,
        ...(row.hostId === null ? {} : { hostId: row.hostId }),
        claimCode,
        expiresAt: row.expiresAt,
        ca: authority.ca,
        key,
      } as const;
      return ok({ ...file, signature: await port.sign(CLAIM_TYP, file) });
    },
  };
}
