import { Trans, useLingui } from '@lingui/react/macro';
import type { ObjectKind } from '../../client/name.ts';
import { linkTo } from '../../client/route.ts';
import { domain, mayOperate } from '../../client/session.ts';
import { Ago } from '../../component/age.tsx';
import { Fact } from '../../component/fact/fact.tsx';
import { ObjectLink } from '../../component/object-link.tsx';
import { reasonText } from '../../component/step/reason-words.ts';
import { offset } from '../../component/trace/lane.ts';
import { eventWord } from '../../component/wording/event-words.ts';
import { LONG_MOMENT } from '../../component/wording/figure.ts';
import { protocolName } from '../../component/wording/protocol-name.ts';
import { readable } from '../../component/wording/readable.ts';
import { adviceOf } from './record-advice.ts';
import { type Entry, KINDS, whoOf } from './record-words.ts';
import { ResultBadge } from './result-badge.tsx';

/** Parties, place, kind, result and times. */
export function RecordHead({ record }: { readonly record: Entry }) {
  const { t } = useLingui();
  const advice = adviceOf(record);
  const what = [record.statusCode, record.eventType].flatMap((word) =>
    word === undefined ? [] : eventWord(word, t),
  );
  const address = `/record/${encodeURIComponent(domain.value)}/${record.recordId}`;
  return (
    <>
      <header className="page">
        <h1>
          {t(KINDS[record.kind])}
          {whoOf(record) !== '' && <span className="record-who"> {whoOf(record)}</span>}
        </h1>
        <ResultBadge result={record.result} />
        <span className="dim">
          <Ago at={record.at} estimated={record.estimated === true} />
        </span>
      </header>
      {record.reason !== undefined && <p className="record-reason">{reasonText(record.reason, t)}</p>}
      {advice.length > 0 && (
        <p className={`notice ${record.result === 'running' || record.result === 'done' ? '' : 'bad'}`}>
          {advice.map((sentence) => t(sentence)).join(' ')}
        </p>
      )}
      {record.erased === true && (
        <p className="notice">
          <Trans>The content was erased on request of the person. Times and results stay.</Trans>
        </p>
      )}
      <dl className="record-facts">
        {what.length > 0 && (
          <Fact name={t`Event`}>
            {what.join(', ')}
            {record.event?.priority !== undefined && (
              <span className="dim">
                {' '}
                <Trans>priority {record.event.priority}</Trans>
              </span>
            )}
          </Fact>
        )}
        <Fact name={t`Where`}>
          <ObjectLink kind="site" id={record.siteId} /> /{' '}
          <ObjectLink kind="host" id={`${record.siteId}/${record.hostId}`} />
        </Fact>
        {record.from !== undefined && (
          <Fact name={t`Caller`}>
            {record.from} {record.source !== undefined && <span className="dim">{record.source}</span>}
          </Fact>
        )}
        {record.to !== undefined && <Fact name={t`Called`}>{record.to}</Fact>}
        {record.receiver !== undefined && (
          <Fact name={t`Receiver`}>
            <ObjectLink kind={receiverKind(record)} id={record.receiver} name={record.receiverName} />{' '}
            {record.protocol !== undefined && <span className="dim">{protocolName(record.protocol)}</span>}
            {record.rule !== undefined && (
              <div className="dim">
                <Trans>picked by</Trans> <code>{record.rule}</code>
              </div>
            )}
          </Fact>
        )}
        {record.acceptedBy !== undefined && <Fact name={t`Accepted by`}>{record.acceptedBy}</Fact>}
        {record.deviceId !== undefined && (
          <Fact name={t`Device`}>
            <ObjectLink kind="device" id={record.deviceId} />{' '}
            <a href={`${linkTo('record')}?deviceId=${encodeURIComponent(record.deviceId)}&span=month`}>
              <Trans>All records of {record.deviceId}</Trans>
            </a>
          </Fact>
        )}
        <Times record={record} />
        {record.configRevision !== undefined && (
          <Fact name={t`Configuration`}>
            <a href="#configuration">
              <Trans>Revision {record.configRevision}</Trans>
            </a>
          </Fact>
        )}
        {record.traceId !== undefined && (
          <Fact name={t`Trace id`}>
            <code>{record.traceId}</code>
          </Fact>
        )}
        {(record.warnings ?? []).length > 0 && (
          <Fact name={t`Deviations`}>{(record.warnings ?? []).map(readable).join(', ')}</Fact>
        )}
      </dl>
      <p className="record-links">
        {mayOperate.value && (
          <>
            <a className="button" href={`${address}/evidence`} download>
              <Trans>Evidence</Trans>
            </a>
            <a className="button" href={`${address}/capture.pcap`} download>
              <Trans>Packets for Wireshark</Trans>
            </a>
          </>
        )}
        <a className="button" href={address} target="_blank" rel="noreferrer">
          JSON
        </a>
      </p>
    </>
  );
}

/** The kind of resource that took a session of this kind. */
const receiverKind = ({ kind }: Entry): ObjectKind =>
  kind === 'mediaService'
    ? 'mediaService'
    : kind === 'cloudUserAgent'
      ? 'userAgent'
      : kind === 'recording'
        ? 'recordingService'
        : kind === 'alarmSent'
          ? 'sender'
          : 'receiver';

/** The moments of a session, each with its distance from the arrival. */
function Times({ record }: { readonly record: Entry }) {
  const { t, i18n } = useLingui();
  const { times = {}, durationMs, speechMs } = record;
  const begin = times.arrived ?? record.at;
  const marks = [
    [t`on disk`, times.stored],
    [t`callback answered`, times.callbackAnswered],
    [t`device answered`, times.deviceAnswered],
    [t`speech`, times.voiceJoined],
    [t`end`, times.ended],
  ] as const;
  const shown = marks.flatMap(([name, at]) => (at === undefined ? [] : [{ name, at }]));
  return (
    <Fact name={t`Times`}>
      <time dateTime={new Date(begin).toISOString()} title={new Date(begin).toISOString()}>
        {i18n.date(begin, LONG_MOMENT)}
      </time>
      {durationMs !== undefined && (
        <span className="dim">
          {' · '}
          <Trans>lasted {offset(durationMs)}</Trans>
        </span>
      )}
      {speechMs !== undefined && (
        <span className="dim">
          {' · '}
          <Trans>speech {offset(speechMs)}</Trans>
        </span>
      )}
      <div className="dim">
        {shown
          .toSorted((a, b) => a.at - b.at)
          .map(({ name, at }) => `${name} +${offset(at - begin)}`)
          .join(' · ')}
      </div>
    </Fact>
  );
}
