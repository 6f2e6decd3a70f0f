import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { api } from '../../client/api.ts';
import { serverNow } from '../../client/clock.ts';
import { useAnswer } from '../../client/query.ts';
import { domain, mayProvision } from '../../client/session.ts';
import { Act } from '../../component/act.tsx';
import { Choice } from '../../component/choice.tsx';
import { EmptyState } from '../../component/empty-state.tsx';
import { Field } from '../../component/field.tsx';
import { PageLink } from '../../component/page-link.tsx';
import { protocolName } from '../../component/wording/protocol-name.ts';
import { DEVICE_KINDS, type DeviceKind, deviceOf, type Receiver, receiversFor } from './device-kind.ts';
import { TypeIn, Watch } from './device-watch.tsx';

/** From a new device to its first alarm: kind, receiver, name, what is typed into the device, and its alarm as it arrives. */
export function DeviceWizardPage() {
  const { t } = useLingui();
  const [kind, setKind] = useState<DeviceKind>('message');
  const [chosen, setChosen] = useState('');
  const [deviceId, setDeviceId] = useState('');
  const [number, setNumber] = useState('');
  const [hasPassword, setHasPassword] = useState(true);
  const [made, setMade] = useState<{ readonly password: string; readonly atMs: number } | undefined>();
  const { data, error } = useAnswer('getProvisioningAlarmbridge', { domain: domain.value, limit: '100' });
  const receivers = receiversFor(kind, (data?.alarmbridges ?? []) as unknown as readonly Receiver[]);
  const receiver = receivers.find(({ id }) => id === chosen) ?? receivers[0];
  const draft = { kind, deviceId, number, hasPassword };
  return (
    <>
      <p className="flat">
        <PageLink page="device">
          ← <Trans>Devices</Trans>
        </PageLink>
      </p>
      <header className="page">
        <h1>
          <Trans>A new device, to its first alarm</Trans>
        </h1>
        {!mayProvision.value && (
          <p className="dim about">
            <Trans>Administrators and owners create devices. Ask one of them.</Trans>
          </p>
        )}
      </header>
      {error !== null && (
        <p className="notice bad" role="alert">
          {error.message}
        </p>
      )}
      <fieldset disabled={made !== undefined}>
        <section>
          <h2>
            <Trans>1. Kind of device</Trans>
          </h2>
          <Choice
            name={t`Kind of device`}
            words={DEVICE_KINDS}
            texts={{
              message: t`Alarm unit over IP (SCAIP, NOW-IP, LACS)`,
              tone: t`Analogue unit (tones)`,
              panel: t`Security panel (DC-09)`,
            }}
            chosen={kind}
            onChoose={setKind}
          />
        </section>
        <section>
          <h2>
            <Trans>2. Alarm receiver</Trans>
          </h2>
          {data !== undefined && receivers.length === 0 && (
            <EmptyState
              title={t`No alarm receiver takes this kind`}
              action={
                <PageLink page="bridge" rest="new" className="button">
                  <Trans>Create an alarm receiver</Trans>
                </PageLink>
              }
              command={`curl -X POST ${location.origin}/provisioning/alarmbridge/${domain.value} …`}
            >
              <Trans>
                A receiver understands the protocol of the device and notifies your application. Come back
                here when it exists.
              </Trans>
            </EmptyState>
          )}
          {receiver !== undefined && (
            <label>
              <Trans>It takes the alarms of the device</Trans>
              <select value={receiver.id} onChange={(event) => setChosen(event.currentTarget.value)}>
                {receivers.map((each) => (
                  <option key={each.id} value={each.id}>
                    {each.name ?? each.id} ({protocolName(each.protocol)})
                  </option>
                ))}
              </select>
            </label>
          )}
        </section>
        {receiver !== undefined && (
          <section>
            <h2>
              <Trans>3. Name of the device</Trans>
            </h2>
            <div className="line">
              <Field
                label={kind === 'panel' ? t`Account number of the panel` : t`Id of the device`}
                value={deviceId}
                onChange={setDeviceId}
              />
              {kind === 'tone' && (
                <Field
                  label={t`Telephone number of its line (optional)`}
                  value={number}
                  onChange={setNumber}
                />
              )}
            </div>
            {kind === 'message' && (
              <label className="check">
                <input
                  type="checkbox"
                  checked={hasPassword}
                  onChange={(event) => setHasPassword(event.currentTarget.checked)}
                />{' '}
                <Trans>Give it a password; without one the platform knows it by its id alone</Trans>
              </label>
            )}
            {made === undefined && mayProvision.value && (
              <Act
                label={t`Create the device`}
                disabled={deviceId.trim() === ''}
                run={async () => {
                  const answer = await api.call('putProvisioningDevice', {
                    domain: domain.value,
                    body: deviceOf(draft),
                  });
                  if (answer.ok) setMade({ password: answer.value.password ?? '', atMs: serverNow() });
                  return answer;
                }}
              />
            )}
          </section>
        )}
      </fieldset>
      {made !== undefined && receiver !== undefined && (
        <>
          <TypeIn draft={draft} receiver={receiver} password={made.password} />
          <Watch deviceId={deviceId.trim()} sinceMs={made.atMs} />
        </>
      )}
    </>
  );
}
