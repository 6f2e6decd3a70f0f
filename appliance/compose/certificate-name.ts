import { networkInterfaces } from 'node:os';
import { type CertificateNames, certificateNames } from '#shared/contract/site/index.ts';
import { type ApplianceConfig, listensOf } from '../config.ts';

/** The names and addresses of this host, for its certificate; each call reads those of the machine again, since they change. */
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
