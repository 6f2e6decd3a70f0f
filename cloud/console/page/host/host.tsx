import { Trans, useLingui } from '@lingui/react/macro';
import { api } from '../../client/api.ts';
import type { Detail, HostPath } from '../../client/host-detail.ts';
import { useLive } from '../../client/live.ts';
import { useRecordChanges } from '../../client/record-change.ts';
import { useRest, useSearchState } from '../../client/route.ts';
import { domain, mayOperate, mayProvision, mayService } from '../../client/session.ts';
import { Ago } from '../../component/age.tsx';
import { Badge } from '../../component/badge.tsx';
import { Choice } from '../../component/choice.tsx';
import { Stale } from '../../component/notice.tsx';
import { ObjectLink } from '../../component/object-link.tsx';
import { PageLink } from '../../component/page-link.tsx';
import { Contact } from '../host-health/host-contact.tsx';
import { Incidents, Records } from '../host-health/host-past.tsx';
import { Problems } from '../host-health/host-problem.tsx';
import { Undrain } from './drain.tsx';
import { HostAudit } from './host-audit.tsx';
import { Configuration } from './host-configuration.tsx';
import { Diagnosis } from './host-diagnosis.tsx';
import { Life } from './host-life.tsx';
import { Facts } from './host-state.tsx';
import { Maintenance, useMaintenance } from './maintenance.tsx';
import { Progress } from './progress.tsx';

const STEP_MS = 2_000;
const SITE_STEP_MS = 10_000;
/** Names of the parts in the address. */
const PARTS = ['state', 'past', 'configuration', 'diagnosis', 'audit', 'service'] as const;
type Part = (typeof PARTS)[number];

/** One host: whether it is well, what happened on it, its configuration, and what can be done with it. */
export function HostPage() {
  const rest = useRest();
  const [siteId = '', hostId = ''] = rest.split('/');
  return <OneHost key={rest} path={{ domain: domain.value, siteId, hostId }} />;
}

function OneHost({ path }: { readonly path: HostPath }) {
  const { siteId, hostId } = path;
  useRecordChanges(path.domain);
  const live = useLive(() => api.call('getSiteByDomainBySiteIdHostByHostId', path), [path.domain], STEP_MS);
  const { value, at, failure, again } = live;
  const detail = value?.host;
  return (
    <>
      <p className="flat">
        <PageLink page="fleet">
          ← <Trans>Fleet</Trans>
        </PageLink>
      </p>
      <header className="page">
        <h1>{detail?.hostName ?? hostId}</h1>
        {detail !== undefined && <Badge word={detail.status} />}
        <p className="dim flat about">
          <Trans>
            Host of site <ObjectLink kind="site" id={siteId} />
          </Trans>
          {at > 0 && (
            <>
              {' · '}
              <Trans>
                seen <Ago at={at} />
              </Trans>
            </>
          )}
        </p>
      </header>
      <Stale failure={failure} at={at} />
      {detail !== undefined && <Parts detail={detail} path={path} done={again} />}
    </>
  );
}

function Parts(props: { readonly detail: Detail; readonly path: HostPath; readonly done: () => void }) {
  const { t } = useLingui();
  const { detail, path, done } = props;
  const [search, setSearch] = useSearchState();
  const words = PARTS.filter(mayLook);
  const part = words.find((each) => each === search.part) ?? 'state';
  const live = useLive(
    () => api.call('getSiteByDomainBySiteIdTopology', { domain: path.domain, siteId: path.siteId }),
    [path.domain, path.siteId],
    SITE_STEP_MS,
    ['host'],
  );
  const hosts = (live.value?.topology.hosts ?? []).map(({ hostId, status }) => ({
    ...{ siteId: path.siteId, hostId, hostName: hostId, status },
  }));
  const maintenance = useMaintenance();
  const windows = (maintenance.value?.windows ?? []).filter(
    (each) => each.siteId === path.siteId && (each.hostId ?? path.hostId) === path.hostId,
  );
  const changed = (): void => {
    done();
    maintenance.again();
  };
  return (
    <>
      <Maintenance
        live={
          maintenance.value === undefined
            ? maintenance
            : { ...maintenance, value: { ...maintenance.value, windows } }
        }
      />
      <Activity detail={detail} path={path} done={changed} />
      <Choice
        name={t`Part of this host`}
        words={words}
        texts={{
          state: t`State`,
          past: t`Incidents and records`,
          configuration: t`Configuration`,
          diagnosis: t`Diagnosis`,
          audit: t`Audit`,
          // The select of the diagnosis says the same of a program: other languages have two words.
          service: t({ context: 'work on a host', message: 'Service' }),
        }}
        chosen={part}
        onChoose={(chosen) => setSearch({ part: chosen === 'state' ? undefined : chosen })}
      />
      {part === 'state' && (
        <>
          <Problems detail={detail} />
          <Contact detail={detail} path={path} />
          <Facts detail={detail} />
        </>
      )}
      {part === 'past' && (
        <>
          <Incidents path={path} />
          <Records path={path} />
        </>
      )}
      {part === 'configuration' && <Configuration detail={detail} path={path} done={changed} />}
      {part === 'diagnosis' && <Diagnosis detail={detail} path={path} />}
      {part === 'audit' && <HostAudit path={path} />}
      {part === 'service' && <Life detail={detail} path={path} hosts={hosts} done={changed} />}
    </>
  );
}

const mayLook = (part: Part): boolean =>
  part === 'service'
    ? mayService.value
    : part === 'audit'
      ? mayProvision.value
      : part === 'state' || part === 'past' || mayOperate.value;

/** The operation under way, or the result of a drain; and the way back. */
function Activity(props: { readonly detail: Detail; readonly path: HostPath; readonly done: () => void }) {
  const { detail, path, done } = props;
  const { operation, lifecycle, lifecycleSince } = detail;
  if (operation !== undefined && operation.endedAt === undefined)
    return (
      <Progress operation={operation}>
        {lifecycle === 'draining' && <Undrain path={path} done={done} />}
      </Progress>
    );
  if (lifecycle !== 'drained') return null;
  return (
    <div className="notice" role="status">
      <p className="flat">
        <Trans>
          <strong>Drained</strong> since <Ago at={lifecycleSince} />: it takes no calls and no alarms, and
          stays so over a restart.
        </Trans>
      </p>
      <Undrain path={path} done={done} />
    </div>
  );
}
