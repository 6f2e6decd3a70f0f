import type { Listens } from '#shared/setting/index.ts';
import type { ApplianceConfig } from '../config.ts';
import { bearerCrypto, type TechnicianAccess } from '../io/door/index.ts';
import { admit } from '../operation/index.ts';
import type { TenantModel } from '../replica/index.ts';
import { clock } from './adapters.ts';

/**
 * The access check of `/metrics` (operations contract, "Health"): everybody may read where only this machine reaches the
 * listener, hence undefined; else programs of this machine by their key, and clients with a token of the tenant. Decided with
 * and without WAN.
 */
export function mayMonitor(
  access: Pick<TechnicianAccess, 'isLocal'>,
  { http, siteBaseUrl }: Pick<ApplianceConfig, 'siteBaseUrl'> & { readonly http: Pick<Listens, 'all'> },
  tenant: () => TenantModel,
): ((authorization: string | undefined) => Promise<boolean>) | undefined {
  if (http.all.every(({ host }) => /^(?:127\.|::1$|localhost$)/.test(host))) return undefined;
  const crypto = bearerCrypto();
  return async (authorization) => {
    if (access.isLocal(/^Bearer (\S+)$/.exec(authorization ?? '')?.[1])) return true;
    const { domain, access: known } = tenant();
    const ports = { domain, access: known, siteBaseUrl, crypto };
    return (await admit(ports, authorization, domain, clock.wallMs())).ok;
  };
}
