import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { api } from '../../client/api.ts';
import { useLive } from '../../client/live.ts';
import { domain, mayOperate, mayProvision, mayService } from '../../client/session.ts';
import { Ago } from '../../component/age.tsx';
import { Choice } from '../../component/choice.tsx';
import { Stale } from '../../component/notice.tsx';
import { Undrain } from './drain.tsx';
import { HostAudit } from './host-audit.tsx';
import { Configuration } from './host-configuration.tsx';
import type { Detail, Host, HostPath } from './host-detail.ts';
import { Diagnosis } from './host-diagnosis.tsx';
import { Life } from './host-life.tsx';
import { Conditions, Facts } from './host-state.tsx';
import { Progress } from './progress.tsx';

const STEP_MS = 2_000;
const PARTS = ['State', 'Configuration', 'Diagnosis', 'Audit', 'Service'] as const;

/** One host: how it stands, what runs on it, and what can be done with it now. */
export function HostPart(props: {
  readonly host: Host;
  readonly hosts: readonly Host[];
  readonly again: () => void;
}) {
  const { t } = useLingui();
  const { siteId, hostId } = props.host;
  const path: HostPath = { domain: domain.value, siteId, hostId };
  const [part, setPart] = useState<(typeof PARTS)[number]>('State');
  const live = useLive(
    () => api.call('getSiteByDomainBySiteIdHostByHostId', path),
    [path.domain, siteId, hostId],
    STEP_MS,
  );
  const { value, at, failure, again } = live;
  const detail = value?.host;
  const changed = (): void => {
    again();
    props.again();
  };
  return (
    <>
      <p className="dim flat">
        {siteId}
        {at > 0 && (
          <>
            {', '}
            <Trans>
              seen <Ago at={at} />
            </Trans>
          </>
        )}
      </p>
      {mayOperate.value && (
        <Choice
          name={t`Part of this host`}
          words={PARTS.filter(mayLook)}
          texts={{
            State: t`State`,
            Configuration: t`Configuration`,
            Diagnosis: t`Diagnosis`,
            Audit: t`Audit`,
            // The select of the diagnosis says the same of a program: other languages have two words.
            Service: t({ context: 'work on a host', message: 'Service' }),
          }}
          chosen={part}
          onChoose={setPart}
        />
      )}
      <Stale failure={failure} at={at} />
      {detail !== undefined && (
        <>
          <UnderWay detail={detail} path={path} done={changed} />
          {part === 'State' && (
            <>
              <Conditions conditions={detail.conditions} />
              <Facts detail={detail} />
            </>
          )}
          {part === 'Configuration' && <Configuration detail={detail} path={path} done={changed} />}
          {part === 'Diagnosis' && <Diagnosis detail={detail} path={path} />}
          {part === 'Audit' && <HostAudit path={path} />}
          {part === 'Service' && <Life detail={detail} path={path} hosts={props.hosts} done={changed} />}
        </>
      )}
    </>
  );
}

const mayLook = (part: (typeof PARTS)[number]): boolean =>
  part === 'Service' ? mayService.value : part === 'Audit' ? mayProvision.value : true;

/** The operation under way, or the result of a drain; and the way back. */
function UnderWay(props: { readonly detail: Detail; readonly path: HostPath; readonly done: () => void }) {
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
