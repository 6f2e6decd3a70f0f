import { schema } from 'virtual:contract/deviceRequestSchema';
import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import type { Operations } from '#shared/client/index.ts';
import { api } from '../../client/api.ts';
import { domain, mayProvision } from '../../client/session.ts';
import type { Values } from '../../component/form/schema.ts';
import { type FormSection, SchemaForm } from '../../component/form/schema-form.tsx';
import { strangeFields, written } from './device-field.ts';
import { useAuthTypeWords, useDeviceTypeWords } from './device-words.ts';

export type Device = Operations['getProvisioningDevice']['answer']['devices'][number];
type Body = Operations['putProvisioningDevice']['body'];

/** The proposal for a new device. */
const NEW: Values = { deviceId: '', authType: 'credentials', srtp: 'negotiated', deviceType: 'alarmUnit' };

/** All fields of a device, made from the contract; only those of its authentication are shown. */
export function DeviceForm(props: { readonly device: Device | undefined; readonly done: () => void }) {
  const { device, done } = props;
  const { t } = useLingui();
  const [made, setMade] = useState('');
  const authTypes = useAuthTypeWords();
  const deviceTypes = useDeviceTypeWords();
  const put = (values: Values, query: Readonly<{ dryRun?: 'true' }>) =>
    api.call('putProvisioningDevice', { domain: domain.value, ...query, body: written(values) as Body });
  if (made !== '')
    return (
      <p className="notice" role="status">
        <Trans>
          The password of this device is <code>{made}</code>. Copy it now; it is never shown again.
        </Trans>
      </p>
    );
  const sections: readonly FormSection[] = [
    { id: 'name', title: t`Name and kind`, fields: ['deviceId', 'description', 'deviceType', 'groupId'] },
    {
      id: 'sign-in',
      title: t`Authentication`,
      fields: ['authType', 'password', 'ha1', 'digestAlgorithm', 'authorized'],
    },
    { id: 'media', title: t`Voice`, fields: ['srtp'] },
    { id: 'place', title: t`Telephone line`, fields: ['deviceCLI', 'trunkGroupId', 'macAddress'] },
    { id: 'alarm', title: t`Alarms`, fields: ['serviceData'] },
  ];
  const stored = device === undefined ? {} : written(device);
  return (
    <fieldset className="plain" disabled={!mayProvision.value}>
      <SchemaForm
        draft={`device/${domain.value}/${device?.deviceId ?? 'new'}`}
        schema={schema}
        stored={stored}
        begin={device === undefined ? NEW : stored}
        sections={sections}
        labels={{ '/authorized/register': t`May register` }}
        choiceWords={{ '/authType': authTypes, '/deviceType': deviceTypes }}
        hidden={({ authType }) => strangeFields(authType)}
        check={(values) => put(values, { dryRun: 'true' })}
        save={async (values) => {
          const answer = await put(values, {});
          if (answer.ok) setMade(answer.value.password ?? '');
          return answer;
        }}
        done={(answer) => {
          if ((answer as { password?: string }).password === undefined) done();
        }}
      />
    </fieldset>
  );
}
