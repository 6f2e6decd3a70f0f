import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { api } from '../../client/api.ts';
import { useLive } from '../../client/live.ts';
import { domain } from '../../client/session.ts';
import { Act } from '../../component/act.tsx';
import { Ago } from '../../component/age.tsx';
import { Field } from '../../component/field.tsx';

/** Displays on a wall: each has an address with a token, which shows how many wait and nothing of a person. */
export function Displays() {
  const { t } = useLingui();
  const [name, setName] = useState('');
  const [address, setAddress] = useState('');
  const live = useLive(
    () => api.call('getAlarmqueueByDomainWall', { domain: domain.value }),
    [domain.value],
    60_000,
  );
  const add = async () => {
    const answer = await api.call('postAlarmqueueByDomainWall', { domain: domain.value, body: { name } });
    if (answer.ok) {
      setName('');
      setAddress(`${location.origin}/console/wall/${encodeURIComponent(domain.value)}#${answer.value.token}`);
      live.again();
    }
    return answer;
  };
  return (
    <details className="displays">
      <summary>
        <Trans>Displays on a wall</Trans>
      </summary>
      <p className="dim">
        <Trans>
          A display shows how many alarms wait, and how long. It names no device, no person and no place, and
          its address opens nothing else.
        </Trans>
      </p>
      <ul className="plain-list">
        {(live.value?.walls ?? []).map((wall) => (
          <li key={wall.id}>
            {wall.name}{' '}
            <span className="dim">
              <Ago at={wall.createdAt} />
            </span>{' '}
            <Act
              plain
              label={t`Delete`}
              run={() =>
                api.call('deleteAlarmqueueByDomainWallByWallId', { domain: domain.value, wallId: wall.id })
              }
              done={live.again}
            />
          </li>
        ))}
      </ul>
      <div className="line">
        <Field label={t`Name of the display`} value={name} onChange={setName} />
        <Act plain label={t`Add a display`} disabled={name.trim() === ''} run={add} />
      </div>
      {address !== '' && (
        <p className="notice good" role="status">
          <Trans>Open this address on the display. It is not shown again:</Trans> <code>{address}</code>
        </p>
      )}
    </details>
  );
}
