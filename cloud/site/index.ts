import { admission } from './admission.ts';
import { watchCertificates } from './certificate-watch.ts';
import { claims } from './claim.ts';
import { configurationDiff } from './configuration-diff.ts';
import { enrolment } from './enrolment.ts';
import { hostDetail } from './host-detail.ts';
import { type HostLifecycle, lifeCourse } from './host-lifecycle.ts';
import { hostNotes } from './host-note.ts';
import { configurationLag } from './lag.ts';
import { createLifecycleOperations } from './lifecycle-operations.ts';
import { lifeReport } from './lifecycle-report.ts';
import { maintenance } from './maintenance.ts';
import { neighbours, sight } from './neighbour.ts';
import { overview } from './overview.ts';
import type { LifePort, SitePort } from './port.ts';
import { renewal } from './renewal.ts';
import { sites } from './site.ts';
import { topology } from './topology.ts';

export type { AdmittedHost, Door } from './admission.ts';
export { conditionsOf } from './condition.ts';
export {
  createDiagnosisRequests,
  DIAGNOSIS_LIMIT_BYTES,
  DiagnosisBundles,
  type DiagnosisRequests,
} from './diagnosis.ts';
export {
  type Course,
  type DrainOrder,
  freshCourse,
  type LifecycleInput,
  type LifecycleState,
  type LifecycleStep,
  type LifecycleTrigger,
  stepLifecycle,
} from './lifecycle.ts';
export type { HostName } from './lifecycle-operations.ts';
export type { Obeyed } from './lifecycle-report.ts';
export { createLogTails, type FollowedLog, type LogTails, unseenOf } from './log-tail.ts';
export type {
  AlarmPort,
  AuthorityPort,
  HeardHost,
  HostReach,
  IssuedCertificate,
  LifePort,
  SitePort,
} from './port.ts';
export {
  type AskHost,
  createRemoteRequests,
  type RemoteFailure,
  type RemoteRequests,
} from './remote-requests.ts';
export {
  createRuntimeRelay,
  type RelayedCall,
  type RuntimeRelay,
  type RuntimeRelayPort,
} from './runtime-relay.ts';
export { tenantHeldByHosts } from './site.ts';
export { type ChangePort, createSiteChanges, type Listening, type SiteChanges } from './site-changes.ts';

/** The life of hosts: what people decide about it, and what hosts report of it. */
export const createLife = (port: LifePort, course: HostLifecycle = lifeCourse(port)) => ({
  life: createLifecycleOperations(port, course),
  report: lifeReport(port, course),
});

/** Sites, and the machines that become their hosts. */
export function createSites(port: SitePort) {
  const course = lifeCourse(port);
  return {
    site: sites(port),
    claim: claims(port),
    enrolment: enrolment(port, course),
    renewal: renewal(port),
    admit: admission(port, course).admit,
    ...createLife(port, course),
    overview: overview(port),
    detail: hostDetail(port),
    note: hostNotes(port),
    fetchesFor: neighbours(port),
    sees: sight(port),
    lag: configurationLag(port),
    diff: configurationDiff(port),
    topology: topology(port),
    maintenance: maintenance(port),
    watchCertificates: (at: number) => watchCertificates(port, at),
    reach: port.reach,
  };
}

export type Sites = ReturnType<typeof createSites>;
