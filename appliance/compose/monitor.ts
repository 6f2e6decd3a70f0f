import type { Listens } from '#shared/setting/index.ts';
import type { ApplianceConfig } from '../config.ts';
import { bearerCrypto, type TechnicianAccess } from '../io/site-listener/index.ts';
import { admit, monitoringAccess } from '../operation/index.ts';
import type { TenantModel } from '../replica/index.ts';
import { clock } from './adapters.ts';

/** The access check of `/metrics` over the listeners and the keys of this host; undefined: everybody may read. */
export function mayMonitor(
  access: Pick<TechnicianAccess, 'isLocal'>,
  { http, siteBaseUrl }: Pick<ApplianceConfig, 'siteBaseUrl'> & { readonly http: Pick<Listens, 'all'> },
  tenant: () => TenantModel,
): ((authorization: string | undefined) => Promise<boolean>) | undefined {
  const crypto = bearerCrypto();
  return monitoringAccess({
    hosts: http.all.map(({ host }) => host),
    isLocalKey: (key) => access.isLocal(key),
    admits: async (authorization) => {
      const { domain, access: known } = tenant();
      const ports = { domain, access: known, siteBaseUrl, crypto };
      return (await admit(ports, authorization, domain, clock.wallMs())).ok;
    },
  });
}
