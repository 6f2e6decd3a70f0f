import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import type { Operations } from '#shared/client/index.ts';
import { api } from '../../client/api.ts';
import { type Live, useLive, useNow } from '../../client/live.ts';
import { domain, mayService } from '../../client/session.ts';
import { Act } from '../../component/act.tsx';
import { Ago, span } from '../../component/age.tsx';
import { Field } from '../../component/field.tsx';
import { Stale } from '../../component/notice.tsx';

type Answer = Operations['getSiteByDomainMaintenance']['answer'];
export type Window = Answer['windows'][number];

const STEP_MS = 15_000;

/** Windows of the tenant that are planned or open. */
export const useMaintenance = () =>
  useLive(
    () => api.call('getSiteByDomainMaintenance', { domain: domain.value, ended: 'false' }),
    [domain.value],
    STEP_MS,
  );

/** On top of the fleet: the places whose alarms are not reported now, or will not be. */
export function Maintenance({ live }: { readonly live: Live<Answer> }) {
  const { value, at, failure, again } = live;
  const windows = (value?.windows ?? []).filter(({ state }) => state !== 'ended');
  return (
    <>
      <Stale failure={failure} at={at} />
      {windows.map((window) => (
        <Notice key={window.windowId} window={window} again={again} />
      ))}
    </>
  );
}

function Notice({ window, again }: { readonly window: Window; readonly again: () => void }) {
  const { t } = useLingui();
  const now = useNow();
  const { windowId, siteId, hostId, state, startsAt, endsAt, reason, madeBy } = window;
  const place = hostId === undefined ? t`site ${siteId}` : `${siteId} / ${hostId}`;
  return (
    <div className="notice" role="status">
      <strong>
        <Trans>Maintenance of {place}</Trans>
      </strong>{' '}
      {state === 'planned' ? (
        t`begins in ${span(startsAt - now)} and takes ${span(endsAt - startsAt)}`
      ) : (
        <Trans>
          since <Ago at={startsAt} />, ends by itself in {span(endsAt - now)}
        </Trans>
      )}
      : {reason} <span className="dim">{madeBy}</span>
      <p className="dim flat">
        <Trans>
          Alarms that the work causes are recorded and not notified. An alarm that is still raised at the end
          is notified then. Alarms of devices are delivered as always.
        </Trans>
      </p>
      {mayService.value && (
        <Act
          plain
          label={state === 'planned' ? t`Cancel` : t`End it now`}
          run={() => api.call('deleteSiteByDomainMaintenanceByWindowId', { domain: domain.value, windowId })}
          done={again}
        />
      )}
    </div>
  );
}

/** Opens a window for a site, or for one host of it. */
export function MaintenanceForm(props: {
  readonly siteId: string;
  readonly hostId?: string;
  readonly done: () => void;
}) {
  const { t } = useLingui();
  const [hours, setHours] = useState('1');
  const [begins, setBegins] = useState('');
  const [reason, setReason] = useState('');
  const { siteId, hostId } = props;
  const startsAt = begins === '' ? undefined : Date.parse(begins);
  const duration = Math.round(Number(hours) * 3_600);
  return (
    <section>
      <h3>
        <Trans>Maintenance</Trans>
      </h3>
      <p className="dim flat">
        {hostId === undefined
          ? t`The hosts of the site send no notification about an alarm during the work.`
          : t`The host sends no notification about an alarm during the work.`}{' '}
        <Trans>
          Each alarm is recorded, and notified if it is still raised at the end. The window ends by itself.
        </Trans>
      </p>
      <div className="line">
        <Field label={t`Hours, 72 at most`} value={hours} onChange={setHours} inputMode="numeric" />
        <label>
          <Trans>Begins (empty: now)</Trans>
          <input
            type="datetime-local"
            value={begins}
            onChange={(event) => {
              setBegins(event.currentTarget.value);
            }}
          />
        </label>
        <Field label={t`Description of the work`} value={reason} onChange={setReason} />
      </div>
      <Act
        plain
        label={t`Open a maintenance window`}
        disabled={reason.trim() === '' || !(duration >= 60 && duration <= 72 * 3_600)}
        run={() =>
          api.call('postSiteByDomainMaintenance', {
            domain: domain.value,
            body: {
              siteId,
              reason: reason.trim(),
              duration,
              ...(hostId === undefined ? {} : { hostId }),
              ...(startsAt === undefined ? {} : { startsAt }),
            },
          })
        }
        done={() => {
          setReason('');
          props.done();
        }}
      />
    </section>
  );
}
