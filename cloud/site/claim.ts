import {
  CLAIM_TYP,
  type ClaimFile,
  type ClaimRequest,
  claimCodeFrom,
  typedClaimCode,
} from '#shared/contract/site/index.ts';
import { fail, ok, type Result } from '#shared/result.ts';
import { type Call, insertClaim, mutate, readClaim, readSite, recordAudit } from '../store/index.ts';
import type { SitePort } from './port.ts';
import { unknownSite } from './site.ts';

/** Hash under which a claim is stored. The code has 50 bits and a limit of tries, so no slow hash is needed. */
export const claimHash = (sha256: (text: string) => string, code: string): string =>
  sha256(`carillon-claim ${typedClaimCode(code)}`);

/** Leave for machines to become hosts. */
export function claims(port: SitePort) {
  const { store, random, sha256, authority, reach } = port;
  return {
    /** The code is shown once, hence never repeated for the same Idempotency-Key. */
    create: (
      { once: _, ...call }: Call,
      siteId: string,
      request: ClaimRequest,
    ): Promise<Result<{ claimCode: string; expiresAt: number }>> =>
      mutate(store, call, async (tx) => {
        if ((await readSite(tx, call.tenant, siteId)) === undefined) return unknownSite(siteId);
        const at = call.actor.at;
        const claimCode = claimCodeFrom(random(10));
        const hash = claimHash(sha256, claimCode);
        const expiresAt = at + request.expiresIn * 1000;
        await insertClaim(tx, {
          hash,
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
        });
        await recordAudit(tx, call.actor, {
          tenant: call.tenant,
          action: 'create',
          entity: 'claim',
          entityId: hash.slice(0, 12),
          detail: { after: { siteId, ...request, expiresAt } },
        });
        return ok({ claimCode, expiresAt });
      }),

    /** What a machine needs to enrol with this code, as a file. */
    file: async (call: Call, siteId: string, code: string): Promise<Result<ClaimFile>> => {
      const claimCode = typedClaimCode(code);
      const row = await readClaim(store, claimHash(sha256, claimCode));
      if (row === undefined || row.tenant !== call.tenant || row.siteId !== siteId)
        return fail('notFound', 'There is no such claim.');
      const [key] = port.verifyKeys;
      if (key === undefined) throw new Error('there is no key that signs');
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
