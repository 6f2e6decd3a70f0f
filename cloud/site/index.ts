import { admission } from './enrolment/admission.ts';
import { watchCertificates } from './enrolment/certificate-watch.ts';
import { enrolment } from './enrolment/enrolment.ts';
import { renewal } from './enrolment/renewal.ts';
import { claims } from './lifecycle/claim.ts';
import { createHostLifecycle, type HostLifecycle } from './lifecycle/host-lifecycle.ts';
import { createLifecycleOperations } from './lifecycle/lifecycle-operations.ts';
import { createLifecycleReport } from './lifecycle/lifecycle-report.ts';
import type { LifecyclePort, SitePort } from './lifecycle/port.ts';
import { sites } from './lifecycle/site.ts';
import { configurationDiff, revisionChanges } from './status/configuration-diff.ts';
import { connectivity } from './status/connectivity.ts';
import { hostDetail } from './status/host-detail.ts';
import { hostNotes } from './status/host-note.ts';
import { configurationLag } from './status/lag.ts';
import { maintenance } from './status/maintenance.ts';
import { neighbours, sight } from './status/neighbour.ts';
import { overview } from './status/overview.ts';
import { revisionReach } from './status/revision.ts';
import { topology } from './status/topology.ts';

export type { AccessPoint, AdmittedHost } from './enrolment/admission.ts';
export {
  type Course,
  type DrainOrder,
  freshCourse,
  type LifecycleInput,
  type LifecycleState,
  type LifecycleStep,
  type LifecycleTrigger,
  stepLifecycle,
} from './lifecycle/lifecycle.ts';
export type { HostName } from './lifecycle/lifecycle-operations.ts';
export type { Obeyed } from './lifecycle/lifecycle-report.ts';
export type {
  AlarmPort,
  AuthorityPort,
  HostReach,
  IssuedCertificate,
  LifecyclePort,
  ReportingHost,
  SitePort,
} from './lifecycle/port.ts';
export { tenantHeldByHosts } from './lifecycle/site.ts';
export { createDeliveries, type Deliveries, type DeliveryPort } from './request/delivery.ts';
export {
  createDiagnosisRequests,
  DIAGNOSIS_LIMIT_BYTES,
  DiagnosisBundles,
  type DiagnosisRequests,
} from './request/diagnosis.ts';
export { createListenings, type Listenings } from './request/listening.ts';
export { createLogTails, type FollowedLog, type LogTails, unseenOf } from './request/log-tail.ts';
export { createPersonStatements } from './request/person-statement.ts';
export { RecordingRelay, type SiteRecording } from './request/recording-relay.ts';
export {
  type AskHost,
  createRemoteRequests,
  type RemoteFailure,
  type RemoteRequests,
} from './request/remote-requests.ts';
export {
  createRuntimeRelay,
  type RelayedCall,
  type RuntimeRelay,
  type RuntimeRelayPort,
} from './request/runtime-relay.ts';
export { conditionsOf } from './status/condition.ts';
export {
  type ChangePort,
  createSiteChanges,
  type Listening,
  type SiteChanges,
} from './status/site-changes.ts';

/** The life of hosts: what people decide about it, and what hosts report of it. */
export const createSiteLifecycle = (
  port: LifecyclePort,
  course: HostLifecycle = createHostLifecycle(port),
) => ({
  life: createLifecycleOperations(port, course),
  report: createLifecycleReport(port, course),
});

/** Sites, and the machines that become their hosts. */
export function createSites(port: SitePort) {
  const course = createHostLifecycle(port);
  return {
    site: sites(port),
    claim: claims(port),
    enrolment: enrolment(port, course),
    renewal: renewal(port),
    admit: admission(port, course).admit,
    ...createSiteLifecycle(port, course),
    overview: overview(port),
    detail: hostDetail(port),
    connectivity: connectivity(port),
    note: hostNotes(port),
    fetchesFor: neighbours(port),
    sees: sight(port),
    lag: configurationLag(port),
    diff: configurationDiff(port),
    topology: topology(port),
    revision: revisionReach(port),
    revisionChanges: revisionChanges(port),
    maintenance: maintenance(port),
    watchCertificates: (at: number) => watchCertificates(port, at),
    reach: port.reach,
  };
}

export type Sites = ReturnType<typeof createSites>;
