import { networkInterfaces } from 'node:os';
import { type CertificateNames, certificateNames } from '#shared/contract/site/index.ts';
import { type ApplianceConfig, listensOf } from '../config.ts';

/** What this host is reached by, for its certificate; the machine is looked at anew each time, since its addresses change. */
export function namesOf(config: ApplianceConfig): CertificateNames {
  const { hostId, address, siteBaseUrl, sharedAddress } = config;
  return certificateNames({
    ...{ hostId, address, siteBaseUrl, sharedAddress },
    listening: listensOf(config).map(({ host }) => host),
    machine: Object.values(networkInterfaces())
      .flatMap((addresses) => addresses ?? [])
      .flatMap((each) => (each.internal ? [] : [each.address])),
  });
}
