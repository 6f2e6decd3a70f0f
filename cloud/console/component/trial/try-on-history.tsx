import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { api } from '../../client/api.ts';
import { domain, mayProvision } from '../../client/session.ts';
import { Act } from '../act.tsx';
import { type Trial, TrialResult } from './trial-result.tsx';

type Values = Readonly<Record<string, unknown>>;

/** Parts of a receiver that a trial does not depend on; some of them hold secrets. */
const ASIDE = ['restAuthentication', 'dc09', 'toneSettings', 'emergencyCallList'];

/** A receiver as it stands in the form, tried on the alarms of the last month. The form need not be saved. */
export function TryOnHistory({ id, values }: { readonly id: string; readonly values: Values }) {
  const { t } = useLingui();
  const [trial, setTrial] = useState<Trial>();
  if (!mayProvision.value) return null;
  const run = async () => {
    setTrial(undefined);
    const alarmbridge = Object.fromEntries(Object.entries(values).filter(([name]) => !ASIDE.includes(name)));
    const answer = await api.call('postProvisioningAlarmbridgeByAlarmBridgeIdTryonhistory', {
      ...{ domain: domain.value, alarmBridgeId: id },
      body: { alarmbridge } as never,
    });
    if (answer.ok) setTrial(answer.value);
    return answer;
  };
  return (
    <details className="form-group">
      <summary>
        <Trans>Try on history</Trans>
      </summary>
      <p className="dim">
        <Trans>
          The hosts try these fields on the alarms of the last month, and say which would have reached another
          receiver. Nothing is stored.
        </Trans>
      </p>
      <Act plain label={t`Try on the alarms of the last month`} run={run} />
      {trial !== undefined && <TrialResult trial={trial} />}
    </details>
  );
}
