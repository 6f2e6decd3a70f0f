import { useState } from 'react';
import type { Operations } from '#shared/client/index.ts';
import { api } from '../../client/api.ts';
import { useLive } from '../../client/live.ts';
import { domain, mayHandle } from '../../client/session.ts';
import { Act } from '../../component/act.tsx';
import { Ago, span } from '../../component/age.tsx';
import { Badge } from '../../component/badge.tsx';
import { Field } from '../../component/field.tsx';
import { Head } from '../../component/head.tsx';
import { Stale } from '../../component/notice.tsx';
import { PageLink } from '../../component/page-link.tsx';
import { contactWords } from '../../text/host-words.ts';
import { Acknowledge, Marks, wording } from './alarm-mark.tsx';

type Detail = Operations['getSiteByDomainAlarmByAlarmId']['answer']['alarm'];

const STEP_MS = 3_000;
/** The states of a delivery, as badges know them. */
const STATES = { waiting: 'pending', done: 'done', dead: 'failed' } as const;

/** One alarm: what it says, whether its tenant has heard of it, and what people wrote beside it. */
export function AlarmPart({ alarmId, again }: { readonly alarmId: string; readonly again: () => void }) {
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
            <Badge word={alarm.status} /> <strong>{alarm.error}</strong> <Marks alarm={alarm} />
          </p>
          <p>{wording(alarm.errorDetails)}</p>
          <Facts alarm={alarm} />
          <h3>Notification of the tenant</h3>
          <Deliveries alarm={alarm} />
          {mayHandle.value && alarm.deliveries.some(({ state }) => state === 'dead') && (
            <Act
              plain
              label="Notify again"
              run={() => api.call('postSiteByDomainAlarmByAlarmIdResend', { domain: domain.value, alarmId })}
              done={changed}
            />
          )}
          <h3>Remarks</h3>
          {alarm.notes === undefined && <p className="dim flat">None yet.</p>}
          <ul className="plain-list">
            {(alarm.notes ?? []).map(({ at: when, by, text }) => (
              <li key={`${when} ${by}`}>
                {text}{' '}
                <span className="dim">
                  {by}, <Ago at={when} />
                </span>
              </li>
            ))}
          </ul>
          {mayHandle.value && <Remark alarmId={alarmId} done={changed} />}
          {mayHandle.value && alarm.status === 'active' && <Acknowledge alarm={alarm} done={changed} />}
        </>
      )}
    </>
  );
}

function Facts({ alarm }: { readonly alarm: Detail }) {
  const { siteId, hostId, raisedAt, clearedAt, acknowledgedAt, alarmId } = alarm;
  return (
    <dl>
      <dt>Where</dt>
      <dd>
        {hostId === undefined ? (
          siteId || 'all sites'
        ) : (
          <PageLink page="fleet" rest={`${siteId}/${hostId}`}>
            {siteId} / {hostId}
          </PageLink>
        )}
      </dd>
      {hostId !== undefined && alarm.errorDetails.condition === 'unstable' && (
        <Contact siteId={siteId} hostId={hostId} />
      )}
      <dt>Raised</dt>
      <dd>
        <Ago at={raisedAt} />
      </dd>
      {acknowledgedAt !== undefined && (
        <>
          <dt>Acknowledged</dt>
          <dd>
            <Ago at={acknowledgedAt} />
          </dd>
        </>
      )}
      {clearedAt !== undefined && (
        <>
          <dt>Cleared</dt>
          <dd>
            <Ago at={clearedAt} />, it lasted {span(clearedAt - raisedAt)}
          </dd>
        </>
      )}
      <dt>Id</dt>
      <dd>
        <code>{alarmId}</code>
      </dd>
    </dl>
  );
}

/** The contact of a host whose connection flaps: how often it was lost, and how many losses were not reported. */
function Contact({ siteId, hostId }: { readonly siteId: string; readonly hostId: string }) {
  const live = useLive(
    () => api.call('getSiteByDomainBySiteIdHostByHostId', { domain: domain.value, siteId, hostId }),
    [domain.value, siteId, hostId],
    STEP_MS,
    ['host'],
  );
  const { value } = live;
  return (
    <>
      <dt>Connection</dt>
      <dd>{value === undefined ? '…' : contactWords(value.host.contact)}</dd>
    </>
  );
}

function Deliveries({ alarm: { deliveries, untold } }: { readonly alarm: Detail }) {
  if (deliveries.length === 0)
    return (
      <p className="dim flat">
        {untold === true
          ? 'Not yet: a maintenance window covers it. An alarm that is still raised at the end of the window is notified then.'
          : 'Not by the control plane: the tenant has no alarmEventsRestEndpoint, or its site has notified it.'}
      </p>
    );
  return (
    <table className="small">
      <Head columns={['What', 'State', 'Attempts', 'Answer', 'When']} />
      <tbody>
        {deliveries.map((each) => (
          <tr key={each.deliveryId}>
            <td>{each.says}</td>
            <td>
              <Badge word={STATES[each.state]} />
            </td>
            <td className="number">{each.attempts}</td>
            <td>
              {each.code !== undefined && `${each.code} in ${each.tookMs ?? 0} ms`}
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

function Remark({ alarmId, done }: { readonly alarmId: string; readonly done: () => void }) {
  const [text, setText] = useState('');
  return (
    <div className="line">
      <Field label="Text for other readers" value={text} onChange={setText} />
      <Act
        plain
        label="Comment"
        disabled={text.trim() === ''}
        run={() =>
          api.call('postSiteByDomainAlarmByAlarmIdNote', {
            domain: domain.value,
            alarmId,
            body: { text: text },
          })
        }
        done={() => {
          setText('');
          done();
        }}
      />
    </div>
  );
}
