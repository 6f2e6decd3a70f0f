import { Trans, useLingui } from '@lingui/react/macro';
import { api } from '../../client/api.ts';
import { useLive } from '../../client/live.ts';
import { useAnswer } from '../../client/query.ts';
import { useRecordChanges } from '../../client/record-change.ts';
import { domain } from '../../client/session.ts';
import { Ago } from '../../component/age.tsx';
import { ObjectLink } from '../../component/object-link.tsx';
import { PageLink } from '../../component/page-link.tsx';
import { KINDS } from '../record/record-words.ts';
import { ResultBadge } from '../record/result-badge.tsx';
import { type DeviceDraft, destinationOf, type Receiver, simulation } from './device-kind.ts';

const STEP_MS = 2_000;
/** The clock of a host may be behind that of the browser. */
const CLOCK_MS = 10 * 60_000;

/** Everything that a person types into the device, and a command that plays it. */
export function TypeIn(props: {
  readonly draft: DeviceDraft;
  readonly receiver: Receiver;
  readonly password: string;
}) {
  const { t } = useLingui();
  const { draft, receiver, password } = props;
  const { kind, deviceId } = draft;
  const { data } = useAnswer('getSiteByDomain', { domain: domain.value }, { staleMs: 10_000 });
  const hosts = (data?.data.site ?? []).flatMap(({ siteBaseUrl }) =>
    siteBaseUrl === undefined ? [] : [new URL(siteBaseUrl).hostname],
  );
  const [host = 'HOST'] = hosts;
  const destination = destinationOf(receiver);
  const command = simulation(draft, {
    ...{ host, domain: domain.value, password },
    destination: destination ?? 'DESTINATION',
  });
  return (
    <section>
      <h2>
        <Trans>4. Type this into the device</Trans>
      </h2>
      <dl>
        <dt>{kind === 'tone' ? t`Number to call` : t`Address of the host`}</dt>
        <dd>
          {kind === 'tone' ? (
            <Trans>the number of your trunk that leads to this receiver</Trans>
          ) : (
            [...new Set(hosts)].join(', ') || t`a host of your site, once one is connected`
          )}
        </dd>
        {kind === 'message' && (
          <>
            <dt>{t`Port`}</dt>
            <dd>{t`5060 over UDP or TCP, 5061 over TLS, unless the installer chose others`}</dd>
            <dt>{t`Domain`}</dt>
            <dd>
              <code>{domain.value}</code>
            </dd>
            <dt>{t`User`}</dt>
            <dd>
              <code>{deviceId.trim()}</code>
            </dd>
            {password !== '' && (
              <>
                <dt>{t`Password`}</dt>
                <dd>
                  <code>{password}</code>{' '}
                  <span className="dim">
                    <Trans>Copy it now; it is never shown again.</Trans>
                  </span>
                </dd>
              </>
            )}
          </>
        )}
        {kind === 'panel' && (
          <>
            <dt>{t`Account number`}</dt>
            <dd>
              <code>{deviceId.trim()}</code>
            </dd>
          </>
        )}
        {kind !== 'panel' && (
          <>
            <dt>{t`Destination of its alarms`}</dt>
            <dd>
              <code>{destination ?? receiver.destinationMatch}</code>
              {destination === undefined && (
                <span className="dim">
                  {' '}
                  <Trans>a pattern: any number that it matches</Trans>
                </span>
              )}
            </dd>
          </>
        )}
      </dl>
      {command !== undefined && (
        <details>
          <summary>
            <Trans>Without the device: a test alarm from a computer</Trans>
          </summary>
          <p className="dim">
            <Trans>
              It is an alarm like that of the device, for your application too: say there that it is a test.
            </Trans>
          </p>
          <pre>{command}</pre>
        </details>
      )}
    </section>
  );
}

/** The alarms of the new device as they arrive. */
export function Watch({ deviceId, sinceMs }: { readonly deviceId: string; readonly sinceMs: number }) {
  const { t } = useLingui();
  useRecordChanges(domain.value);
  const { value, failure } = useLive(
    () =>
      api.call('getRecordByDomain', {
        ...{ domain: domain.value, deviceId, from: String(sinceMs - CLOCK_MS), limit: '10' },
      }),
    [domain.value, deviceId],
    STEP_MS,
    ['record'],
  );
  const records = (value?.records ?? []).filter((each) => each.deviceId === deviceId);
  const hasAlarm = records.some(({ kind, result }) => kind === 'alarm' && result === 'done');
  return (
    <section>
      <h2>
        <Trans>5. Press its button</Trans>
      </h2>
      <div className="notice" role="status">
        {failure ??
          (hasAlarm
            ? t`The alarm of the device has arrived, and your application has taken it.`
            : records.length > 0
              ? t`The device is heard. Its alarm is not through yet: the record says why.`
              : t`Waiting for the device. Its alarm appears here within two seconds.`)}
      </div>
      {records.length > 0 && (
        <ul className="plain-list">
          {records.map((row) => (
            <li key={row.recordId}>
              <PageLink page="record" rest={row.recordId}>
                {t(KINDS[row.kind])} <Ago at={row.at} estimated={row.estimated === true} />
              </PageLink>{' '}
              <ResultBadge result={row.result} /> <span className="dim">{row.reason}</span>
            </li>
          ))}
        </ul>
      )}
      {hasAlarm && (
        <p className="flat">
          <Trans>
            Done: <ObjectLink kind="device" id={deviceId} /> shows its health from now on.
          </Trans>
        </p>
      )}
    </section>
  );
}
