import { api } from '../../client/api.ts';
import { useLive } from '../../client/live.ts';
import { domain } from '../../client/session.ts';
import { Stale } from '../../component/notice.tsx';
import { PageLink } from '../../component/page-link.tsx';
import { Undrain } from '../host/drain.tsx';
import { Progress } from '../host/progress.tsx';

const STEP_MS = 3_000;

/** The present operations of the hosts of a site: their own pages show the finished ones. */
export function Underway({ siteId }: { readonly siteId: string }) {
  const live = useLive(
    () => api.call('getSiteByDomainOperation', { domain: domain.value, limit: '50' }),
    [domain.value, siteId],
    STEP_MS,
    ['operation'],
  );
  const { value, at, failure, again } = live;
  const open = (value?.operations ?? []).filter(
    (each) => each.siteId === siteId && each.endedAt === undefined,
  );
  return (
    <>
      <Stale failure={failure} at={at} />
      {open.map((operation) => {
        const { operationId, hostId, type } = operation;
        const host = (
          <PageLink page="host" rest={`${siteId}/${hostId}`}>
            {hostId}
          </PageLink>
        );
        return (
          <Progress key={operationId} operation={operation} host={host}>
            {type === 'drain' && <Undrain path={{ domain: domain.value, siteId, hostId }} done={again} />}
          </Progress>
        );
      })}
    </>
  );
}
