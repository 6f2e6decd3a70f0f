import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { api } from '../../client/api.ts';
import type { Detail, HostPath, Neighbour } from '../../client/host-detail.ts';
import { mayService } from '../../client/session.ts';
import { Act } from '../../component/act.tsx';
import { Field } from '../../component/field.tsx';
import { drainEffect } from '../../component/wording/operation-words.ts';

/** Takes a host out of service without loss: how, what that will do, and then the button. */
export function Drain(props: {
  readonly detail: Detail;
  readonly path: HostPath;
  readonly others: readonly Neighbour[];
  readonly done: () => void;
}) {
  const { t } = useLingui();
  const { detail, path, others, done } = props;
  const [stays, setStays] = useState(false);
  const [force, setForce] = useState(false);
  const [minutes, setMinutes] = useState('60');
  const [reason, setReason] = useState('');
  const isTime = /^\d{1,4}$/.test(minutes) && Number(minutes) <= 1_440;
  const how = { stays: stays, force: force, minutes: Number(minutes) };
  // The API refuses to leave a site without alarms unless both are said.
  const isLast = others.length === 0;
  const isMeant = !isLast || (stays && force);
  const body = {
    doNotReschedule: stays,
    force: force,
    deadline: 60 * how.minutes,
    ...(reason === '' ? {} : { reason: reason }),
  };
  return (
    <section className="wizard">
      <h3>
        <Trans>Drain: take it out of service without loss</Trans>
      </h3>
      <Check label={t`Quick maintenance: services stay assigned here`} value={stays} onChange={setStays} />
      <Check
        label={t`At the deadline end ordinary calls; calls of alarms are never ended`}
        value={force}
        onChange={setForce}
      />
      <div className="line">
        <Field label={t`Deadline in minutes`} value={minutes} onChange={setMinutes} inputMode="numeric" />
        <Field label={t`Reason (for the audit)`} value={reason} onChange={setReason} />
      </div>
      {!isTime && (
        <p className="refused" role="alert">
          <Trans>The deadline is a number of minutes, at most 1440: a day.</Trans>
        </p>
      )}
      <h4 id="drain-effect">
        <Trans>Consequences</Trans>
      </h4>
      <ul aria-labelledby="drain-effect" aria-live="polite">
        {drainEffect(
          detail,
          others.map(({ hostName }) => hostName),
          how,
        ).map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
        <li>
          <Trans>It can be undone at any time: &quot;Put it back into service&quot;.</Trans>
        </li>
      </ul>
      {isLast && !isMeant && (
        <p className="dim">
          <Trans>
            The last host of a site is drained only for quick maintenance and with calls ended at the
            deadline: tick both.
          </Trans>
        </p>
      )}
      <Act
        label={t`Drain ${path.hostId}`}
        disabled={!isTime || !isMeant}
        run={() => api.call('postSiteByDomainBySiteIdHostByHostIdDrain', { ...path, body })}
        done={done}
      />
    </section>
  );
}

/** Lifts a drain, whether it is under way or through. */
export function Undrain({ path, done }: { readonly path: HostPath; readonly done: () => void }) {
  const { t } = useLingui();
  if (!mayService.value) return null;
  return (
    <Act
      label={t`Put it back into service`}
      run={() => api.call('postSiteByDomainBySiteIdHostByHostId', { ...path, body: {} })}
      done={done}
    />
  );
}

function Check(props: {
  readonly label: string;
  readonly value: boolean;
  readonly onChange: (value: boolean) => void;
}) {
  return (
    <label className="check">
      <input
        type="checkbox"
        checked={props.value}
        onChange={(event) => {
          props.onChange(event.currentTarget.checked);
        }}
      />{' '}
      {props.label}
    </label>
  );
}
