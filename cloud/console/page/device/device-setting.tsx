import { t as say } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { useAnswer } from '../../client/query.ts';
import { domain } from '../../client/session.ts';
import { span } from '../../component/age.tsx';
import { CardTable } from '../../component/card-table.tsx';
import { choiceWordsOf } from '../../component/form/choice-words.ts';
import { PageLink } from '../../component/page-link.tsx';
import type { Device } from './device-form.tsx';
import { type EffectiveSetting, effectiveSettings, type SettingSource } from './device-health.ts';

/** The settings of the device joined with those of the receiver that took its last session. */
export function DeviceSettings(props: {
  readonly device: Device;
  readonly receiver:
    | { readonly receiver?: string | undefined; readonly receiverName?: string | undefined }
    | undefined;
}) {
  const { t } = useLingui();
  const { device, receiver } = props;
  const id = receiver?.receiver ?? '';
  const { data } = useAnswer(
    'getProvisioningAlarmbridgeByAlarmBridgeId',
    { domain: domain.value, alarmBridgeId: id },
    { enabled: id !== '' },
  );
  const names: Readonly<Record<EffectiveSetting['name'], string>> = {
    alarmProtocol: t`Alarm protocol`,
    protocolProfile: t`Protocol profile`,
    heartbeatInterval: t`Heartbeat interval`,
    emergencyDestination: t`Emergency destination`,
    voiceDestination: t`Voice destination`,
    destinationRewrite: t`Destination rewrite`,
    usePredefinedDestination: t`Predefined destination`,
    srtp: t`Encryption of speech`,
    digestAlgorithm: t`Digest algorithm`,
  };
  const sources: Readonly<Record<SettingSource, string>> = {
    device: t`device`,
    receiver: t`alarm receiver`,
    profile: t`alarm receiver, which names the profile`,
    default: t`default`,
  };
  return (
    <section>
      <h2>
        <Trans>Settings in effect</Trans>
      </h2>
      <p className="dim flat">
        {receiver?.receiver === undefined ? (
          <Trans>No receiver has taken a session of this device yet: its own settings alone are shown.</Trans>
        ) : (
          <Trans>
            The device goes before the receiver of its last session,{' '}
            <PageLink page="bridge" rest={id}>
              {receiver.receiverName ?? id}
            </PageLink>
            .
          </Trans>
        )}
      </p>
      <CardTable columns={[t`Setting`, t`Value`, t`Comes from`]}>
        <tbody>
          {effectiveSettings(device, data?.alarmbridge).map((setting) => (
            <tr key={setting.name}>
              <td>{names[setting.name]}</td>
              <td>
                {setting.value === '' ? (
                  <span className="dim">{t`none`}</span>
                ) : (
                  shownValue(setting, choiceWordsOf(setting.name, t))
                )}
              </td>
              <td className={setting.source === 'default' ? 'dim' : ''}>{sources[setting.source]}</td>
            </tr>
          ))}
        </tbody>
      </CardTable>
    </section>
  );
}

/** `words`: those for the values of this setting, where it is a choice. */
function shownValue({ name, value }: EffectiveSetting, words: Readonly<Record<string, string>>): string {
  if (name === 'heartbeatInterval') return span(Number(value));
  if (name === 'usePredefinedDestination') return value === 'true' ? say`yes` : say`no`;
  return words[value] ?? value;
}
