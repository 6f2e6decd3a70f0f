import { useSignal } from '@preact/signals';
import type { Operations } from '#shared/client/index.ts';
import { api } from '../api.ts';
import { useLive } from '../live.ts';
import { Ago } from '../part/age.tsx';
import { Choice } from '../part/choice.tsx';
import { Stale } from '../part/notice.tsx';
import { domain, mayOperate, mayService } from '../session.ts';
import type { Host } from './fleet.tsx';
import { Configuration } from './host-configuration.tsx';
import { Diagnosis } from './host-diagnosis.tsx';
import { Life } from './host-life.tsx';
import { Conditions, Facts, Running } from './host-state.tsx';

export type Detail = Operations['getSiteByDomainBySiteIdHostByHostId']['answer']['host'];
/** Who is asked: path of a host in the API. */
export interface HostPath {
  readonly domain: string;
  readonly siteId: string;
  readonly hostId: string;
}

const STEP_MS = 2_000;
const PARTS = ['State', 'Configuration', 'Diagnosis', 'Service'] as const;

/** One host: how it stands, what runs on it, and what can be done with it now. */
export function HostPart(props: {
  readonly host: Host;
  readonly hosts: readonly Host[];
  readonly again: () => void;
}) {
  const { siteId, hostId } = props.host;
  const path: HostPath = { domain: domain.value, siteId, hostId };
  const part = useSignal<(typeof PARTS)[number]>('State');
  const live = useLive(
    () => api.call('getSiteByDomainBySiteIdHostByHostId', path),
    [path.domain, siteId, hostId],
    STEP_MS,
  );
  const { value, at, failure, again } = live.value;
  const detail = value?.host;
  const changed = (): void => {
    again();
    props.again();
  };
  return (
    <>
      <p class="dim flat">
        {siteId}
        {at > 0 && (
          <>
            , seen <Ago at={at} />
          </>
        )}
      </p>
      {mayOperate.value && (
        <Choice name="What to look at" words={mayService.value ? PARTS : PARTS.slice(0, -1)} chosen={part} />
      )}
      <Stale failure={failure} at={at} />
      {detail !== undefined && (
        <>
          <Running operation={detail.operation} />
          {part.value === 'State' && (
            <>
              <Conditions conditions={detail.conditions} />
              <Facts detail={detail} />
            </>
          )}
          {part.value === 'Configuration' && <Configuration detail={detail} path={path} done={changed} />}
          {part.value === 'Diagnosis' && <Diagnosis detail={detail} path={path} />}
          {part.value === 'Service' && (
            <Life detail={detail} path={path} hosts={props.hosts} done={changed} />
          )}
        </>
      )}
    </>
  );
}
