import { admission } from './admission.ts';
import { claims } from './claim.ts';
import { enrolment } from './enrolment.ts';
import { overview } from './overview.ts';
import type { SitePort } from './port.ts';
import { renewal } from './renewal.ts';
import { sites } from './site.ts';

export type { AdmittedHost, Door } from './admission.ts';
export { configAcknowledged } from './lifecycle.ts';
export type { AuthorityPort, IssuedCertificate, Reach, SitePort } from './port.ts';
export {
  createRuntimeRelay,
  type RelayedCall,
  type RuntimeRelay,
  type RuntimeRelayPort,
} from './runtime-relay.ts';
export { tenantHeldByHosts } from './site.ts';

/** Sites, and the machines that become their hosts. */
export const createSites = (port: SitePort) => ({
  site: sites(port),
  claim: claims(port),
  enrolment: enrolment(port),
  renewal: renewal(port),
  admit: admission(port).admit,
  overview: overview(port),
  reach: port.reach,
});

export type Sites = ReturnType<typeof createSites>;
