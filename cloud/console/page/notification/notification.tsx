import { schema } from 'virtual:contract/notificationSettingsRequestSchema';
import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import type { Operations } from '#shared/client/index.ts';
import { api } from '../../client/api.ts';
import { useAnswer } from '../../client/query.ts';
import { domain, mayProvision } from '../../client/session.ts';
import { ErrorNotice } from '../../component/error-notice.tsx';
import type { Values } from '../../component/form/schema.ts';
import { type FormSection, SchemaForm } from '../../component/form/schema-form.tsx';

type Body = Operations['putProvisioningNotificationsettings']['body'];

/** Where platform alarms go, and what the hosts may send out. */
export function NotificationPage() {
  const found = useAnswer('getProvisioningNotificationsettings', { domain: domain.value });
  const [isSaved, setSaved] = useState(false);
  const { data, error, refetch } = found;
  const done = (): void => {
    setSaved(true);
    void refetch();
  };
  return (
    <>
      <header className="page">
        <h1>
          <Trans>Notification</Trans>
        </h1>
        <p className="dim about">
          <Trans>
            An incident is posted to your alarm receiving centre or your operations, and shown under Incidents
            in any case.
          </Trans>
        </p>
      </header>
      <ErrorNotice failure={error?.failure} />
      {isSaved && (
        <p className="notice" role="status">
          <Trans>The settings are saved. Hosts take them over with the next revision.</Trans>
        </p>
      )}
      {data !== undefined && (
        <Settings
          key={JSON.stringify(data.notificationsettings)}
          stored={data.notificationsettings as Values}
          done={done}
        />
      )}
    </>
  );
}

function Settings({ stored, done }: { readonly stored: Values; readonly done: () => void }) {
  const { t } = useLingui();
  const sections: readonly FormSection[] = [
    {
      id: 'alarm',
      title: t`Platform alarms`,
      fields: ['alarmEventsRestEndpoint', 'restAuthentication', 'alarmFromEdge'],
    },
    { id: 'message', title: t`SIP messages without a receiver`, fields: ['messageCallbackBaseUrl'] },
    { id: 'person', title: t`Persons at the hosts`, fields: ['personStatements', 'callbackCopies'] },
    { id: 'emergency', title: t`Emergency lists`, fields: ['emergencyCallsAtOnce'] },
    { id: 'record', title: t`Numbers in records`, fields: ['recordNumbers', 'recordSalt'] },
  ];
  const put = (values: Values, query: Readonly<{ dryRun?: 'true' }>) =>
    api.call('putProvisioningNotificationsettings', {
      domain: domain.value,
      ...query,
      body: values as Body,
    });
  return (
    <fieldset className="plain" disabled={!mayProvision.value}>
      <SchemaForm
        draft={`notification/${domain.value}`}
        schema={schema}
        stored={stored}
        sections={sections}
        labels={{
          '/alarmEventsRestEndpoint': t`Address that receives platform alarms`,
          '/restAuthentication': t`Authentication at that address`,
          '/alarmFromEdge': t`A site posts its own alarms while it has no control plane`,
          '/messageCallbackBaseUrl': t`Base address for messages`,
          '/personStatements': t`Requests of signed-in persons to a host`,
          '/callbackCopies': t`Developers may follow masked copies of callbacks`,
          '/emergencyCallsAtOnce': t`Calls to people at once, on each host`,
          '/recordNumbers': t`Form of the numbers`,
          '/recordSalt': t`Salt of the hash`,
        }}
        choiceWords={{
          '/personStatements': { accepted: t`accepted`, refused: t`refused` },
          '/recordNumbers': { whole: t`whole`, lastFour: t`last four digits`, hashed: t`hashed` },
        }}
        check={(values) => put(values, { dryRun: 'true' })}
        save={(values) => put(values, {})}
        done={done}
      />
    </fieldset>
  );
}
