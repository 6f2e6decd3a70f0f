import { api } from '../../client/api.ts';
import { useLive } from '../../client/live.ts';
import { linkTo } from '../../client/route.ts';
import { domain } from '../../client/session.ts';
import { Stale } from '../../part/notice.tsx';
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
  const { value, at, failure, again } = live.value;
  const open = (value?.operations ?? []).filter(
    (each) => each.siteId === siteId && each.endedAt === undefined,
  );
  return (
    <>
      <Stale failure={failure} at={at} />
      {open.map((operation) => {
        const { operationId, hostId, type } = operation;
        const host = <a href={linkTo('fleet', `${siteId}/${hostId}`)}>{hostId}</a>;
        return (
          <Progress key={operationId} operation={operation} host={host}>
            {type === 'drain' && <Undrain path={{ domain: domain.value, siteId, hostId }} done={again} />}
          </Progress>
        );
      })}
    </>
  );
}
