import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import type { Operations } from '#shared/client/index.ts';
import { api } from '../../client/api.ts';
import { useLive } from '../../client/live.ts';
import { domain, mayHandle } from '../../client/session.ts';
import { Act } from '../../component/act.tsx';
import { Ago, span } from '../../component/age.tsx';
import { Badge } from '../../component/badge.tsx';
import { Fact } from '../../component/fact/fact.tsx';
import { Field } from '../../component/field.tsx';
import { Head } from '../../component/head.tsx';
import { Stale } from '../../component/notice.tsx';
import { ObjectLink } from '../../component/object-link.tsx';
import { Actor } from '../../component/revision/actor.tsx';
import { noteText } from '../../component/step/note-words.ts';
import { contactWords } from '../../component/wording/host-words.ts';
import { causeOf, causeWords, stateWords } from '../../component/wording/incident-words.ts';
import { alarmFacts } from './alarm-fact.ts';
import { Acknowledge, Marks, wording } from './alarm-mark.tsx';
import { Runbook } from './runbook.tsx';

type Detail = Operations['getSiteByDomainAlarmByAlarmId']['answer']['alarm'];

const STEP_MS = 3_000;
/** The states of a delivery, as badges know them. */
const STATES = { waiting: 'pending', done: 'done', dead: 'failed' } as const;

/** One incident: what it says, what to do, whether its tenant has heard of it, and what people wrote beside it. */
export function AlarmPart({ alarmId, again }: { readonly alarmId: string; readonly again: () => void }) {
  const { i18n, t } = useLingui();
  const live = useLive(
    () => api.call('getSiteByDomainAlarmByAlarmId', { domain: domain.value, alarmId }),
    [domain.value, alarmId],
    STEP_MS,
    ['alarm'],
  );
  const { value, at, failure } = live;
  const alarm = value?.alarm;
  const changed = (): void => {
    live.again();
    again();
  };
  return (
    <>
      <Stale failure={failure} at={at} />
      {alarm !== undefined && (
        <>
          <p>
            <Badge word={alarm.status} text={i18n._(stateWords(alarm.status))} />{' '}
            <strong>{i18n._(causeWords(causeOf(alarm)))}</strong> <Marks alarm={alarm} />
          </p>
          <p>{wording(alarm.errorDetails, t)}</p>
          <Facts alarm={alarm} />
          <Runbook error={causeOf(alarm)} />
          <h3>
            <Trans>Notification of the tenant</Trans>
          </h3>
          <Deliveries alarm={alarm} />
          {mayHandle.value && alarm.deliveries.some(({ state }) => state === 'dead') && (
            <Act
              plain
              label={t`Notify again`}
              run={() => api.call('postSiteByDomainAlarmByAlarmIdResend', { domain: domain.value, alarmId })}
              done={changed}
            />
          )}
          <h3>
            <Trans>Comments</Trans>
          </h3>
          {alarm.notes === undefined && (
            <p className="dim flat">
              <Trans>None yet.</Trans>
            </p>
          )}
          <ul className="plain-list">
            {(alarm.notes ?? []).map(({ at: when, by, text }) => (
              <li key={`${when} ${by}`}>
                {text}{' '}
                <span className="dim">
                  <Actor of={by} />, <Ago at={when} />
                </span>
              </li>
            ))}
          </ul>
          {mayHandle.value && <Comment alarm={alarm} done={changed} />}
        </>
      )}
    </>
  );
}

function Facts({ alarm }: { readonly alarm: Detail }) {
  const { t } = useLingui();
  const { siteId, hostId, raisedAt, clearedAt, acknowledgedAt, alarmId } = alarm;
  const { severity, lastSeen, hosts, revision, faults, freeBytes } = alarmFacts(alarm.errorDetails);
  return (
    <dl>
      <Fact name={t`Place`}>
        {hostId === undefined ? (
          siteId === '' ? (
            t`all sites`
          ) : (
            <ObjectLink kind="site" id={siteId} />
          )
        ) : (
          <>
            <ObjectLink kind="site" id={siteId} /> / <ObjectLink kind="host" id={`${siteId}/${hostId}`} />
          </>
        )}
      </Fact>
      {severity !== undefined && (
        <Fact name={t`Severity`}>
          <Badge word={severity} />
        </Fact>
      )}
      {hosts.length > 0 && (
        <Fact name={t`Hosts`}>
          {hosts.map((host, index) => (
            <span key={host}>
              {index > 0 && ', '}
              <ObjectLink kind="host" id={`${siteId}/${host}`} />
            </span>
          ))}
        </Fact>
      )}
      {lastSeen !== undefined && (
        <Fact name={t`Last heartbeat`}>
          <Ago at={lastSeen} />
        </Fact>
      )}
      {revision !== undefined && <Fact name={t`Revision`}>{revision}</Fact>}
      {faults.length > 0 && (
        <Fact name={t`Refused fields`}>
          <ul className="plain-list">
            {faults.map(({ path, text }) => (
              <li key={`${path} ${text}`}>
                {path !== '' && <code>{path}</code>} {noteText(text, t)}
              </li>
            ))}
          </ul>
        </Fact>
      )}
      {freeBytes !== undefined && (
        <Fact name={t`Free space`}>{t`${Math.round(freeBytes / 1_048_576)} MiB`}</Fact>
      )}
      {hostId !== undefined && alarm.errorDetails.condition === 'unstable' && (
        <Contact siteId={siteId} hostId={hostId} />
      )}
      <Fact name={t`Raised`}>
        <Ago at={raisedAt} />
      </Fact>
      {acknowledgedAt !== undefined && (
        <Fact name={t`Acknowledged`}>
          <Ago at={acknowledgedAt} />
        </Fact>
      )}
      {clearedAt !== undefined && (
        <Fact name={t`Cleared`}>
          <Trans>
            <Ago at={clearedAt} />, it lasted {span(clearedAt - raisedAt)}
          </Trans>
        </Fact>
      )}
      <Fact name={t`ID`}>
        <code>{alarmId}</code>
      </Fact>
    </dl>
  );
}

/** The contact of a host whose connection flaps: how often it was lost, and how many losses were not reported. */
function Contact({ siteId, hostId }: { readonly siteId: string; readonly hostId: string }) {
  const { t } = useLingui();
  const live = useLive(
    () => api.call('getSiteByDomainBySiteIdHostByHostId', { domain: domain.value, siteId, hostId }),
    [domain.value, siteId, hostId],
    STEP_MS,
    ['host'],
  );
  const { value } = live;
  return <Fact name={t`Connection`}>{value === undefined ? '…' : contactWords(value.host.contact)}</Fact>;
}

function Deliveries({ alarm: { deliveries, untold } }: { readonly alarm: Detail }) {
  const { t } = useLingui();
  if (deliveries.length === 0)
    return (
      <p className="dim flat">
        {untold === true
          ? t`Not yet: a maintenance window covers it. An alarm that is still raised at the end of the window is notified then.`
          : t`Not by the control plane: the tenant has no alarmEventsRestEndpoint, or its site has notified it.`}
      </p>
    );
  const words = { waiting: t`waiting`, done: t`done`, dead: t`failed` } as const;
  return (
    <table className="small">
      <Head columns={[t`Notification`, t`State`, t`Attempts`, t`Answer`, t`Time`]} />
      <tbody>
        {deliveries.map((each) => (
          <tr key={each.deliveryId}>
            <td>{each.says === 'cleared' ? t`that it is cleared` : t`that it is raised`}</td>
            <td>
              <Badge word={STATES[each.state]} text={words[each.state]} />
            </td>
            <td className="number">{each.attempts}</td>
            <td>
              {each.code !== undefined && t`${each.code} in ${each.tookMs ?? 0} ms`}
              {each.lastError !== undefined && <div className="refused">{each.lastError}</div>}
            </td>
            <td>
              <Ago at={each.settledAt ?? each.createdAt} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** A text for other readers, alone or with the acknowledgement. */
function Comment({ alarm, done }: { readonly alarm: Detail; readonly done: () => void }) {
  const { t } = useLingui();
  const [text, setText] = useState('');
  const written = (): void => {
    setText('');
    done();
  };
  return (
    <>
      <div className="line">
        <Field label={t`Text for other readers`} value={text} onChange={setText} />
        <Act
          plain
          label={t`Comment`}
          disabled={text.trim() === ''}
          run={() =>
            api.call('postSiteByDomainAlarmByAlarmIdNote', {
              domain: domain.value,
              alarmId: alarm.alarmId,
              body: { text },
            })
          }
          done={written}
        />
      </div>
      {alarm.status === 'active' && <Acknowledge alarm={alarm} note={text} done={written} />}
    </>
  );
}
