import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import './record.css';
import './transcript.css';
import { api } from '../../client/api.ts';
import { useLive } from '../../client/live.ts';
import { useRecordChanges } from '../../client/record-change.ts';
import { usePart } from '../../client/route.ts';
import { domain } from '../../client/session.ts';
import { ErrorNotice } from '../../component/error-notice.tsx';
import { Stale } from '../../component/notice.tsx';
import { PageLink } from '../../component/page-link.tsx';
import { Comparison } from './comparison.tsx';
import { Deliveries } from './delivery-view.tsx';
import { LadderView } from './ladder-view.tsx';
import { MediaView } from './media-view.tsx';
import { RecordHead } from './record-head.tsx';
import type { Entry } from './record-words.ts';
import { RecordingPart } from './recording-part.tsx';
import { RevisionPart } from './revision-part.tsx';
import { Timeline } from './timeline.tsx';
import { TranscriptPart } from './transcript-part.tsx';
import { useOnce } from './use-once.ts';

const STEP_MS = 10_000;

/** One session: who, where, what and what became of it, step by step. */
export function RecordPage() {
  const recordId = usePart('recordId');
  useRecordChanges(domain.value);
  const live = useLive(
    () => api.call('getRecordByDomainByRecordId', { domain: domain.value, recordId }),
    [domain.value, recordId],
    STEP_MS,
    ['record'],
  );
  const record = live.value?.record;
  return (
    <>
      <p className="flat">
        <PageLink page="record">
          ← <Trans>Alarms and calls</Trans>
        </PageLink>
      </p>
      <Stale failure={live.failure} at={live.at} />
      {record !== undefined && (
        <>
          <RecordHead record={record} />
          <Story record={record} key={record.recordId} />
        </>
      )}
    </>
  );
}

/** Trace of the hosts of the site: fetched when the page opens, and again when the session has ended. */
function Story({ record }: { readonly record: Entry }) {
  const { t, i18n } = useLingui();
  const asked = { domain: domain.value, recordId: record.recordId };
  const key = `${record.recordId} ${record.result}`;
  const trace = useOnce(() => api.call('getRecordByDomainByRecordIdTrace', asked), key);
  const capture = useOnce(() => api.call('getRecordByDomainByRecordIdCaptureJson', asked), key);
  const steps = trace.value?.trace.steps ?? [];
  const messages = capture.value?.capture.messages ?? [];
  const [playedMs, setPlayed] = useState<number | undefined>();
  const [seek, setSeek] = useState<{ readonly atMs: number } | undefined>();
  const hasRecording = (record.recordings ?? []).length > 0;
  const away = (trace.value?.trace.hosts ?? []).filter(({ state }) => state === 'away' || state === 'failed');
  return (
    <>
      {away.map(({ hostId, since, reason }) => (
        <p key={hostId} className="notice">
          {reason ??
            t`Host ${hostId} is not connected since ${since === undefined ? '?' : new Date(since).toLocaleString(i18n.locale)}. Its part is missing here and comes when it is back.`}
        </p>
      ))}
      <RecordingPart record={record} steps={steps} onPlace={setPlayed} seek={seek} />
      <TranscriptPart
        record={record}
        onSeek={
          hasRecording && playedMs !== undefined && steps[0] !== undefined
            ? (at) => setSeek({ atMs: at - (steps[0]?.at ?? 0) })
            : undefined
        }
      />
      <section className="record-part">
        <header>
          <h2>
            <Trans>Timeline</Trans>
          </h2>
          {(trace.value !== undefined || trace.failure !== undefined) && (
            <button type="button" className="plain" onClick={trace.again}>
              <Trans>Read again</Trans>
            </button>
          )}
        </header>
        <ErrorNotice failure={trace.failure} />
        {trace.value === undefined && trace.failure === undefined && <Waiting />}
        {trace.value !== undefined && (
          <Timeline
            steps={steps}
            playedMs={playedMs}
            {...(hasRecording && playedMs !== undefined ? { onSeek: (atMs) => setSeek({ atMs }) } : {})}
          />
        )}
      </section>
      <section className="record-part">
        <header>
          <h2>
            <Trans>Ladder</Trans>
          </h2>
        </header>
        <ErrorNotice failure={capture.failure} again={capture.again} />
        {capture.value === undefined && capture.failure === undefined ? (
          <Waiting />
        ) : (
          <LadderView messages={messages} steps={steps} />
        )}
      </section>
      <MediaView curves={trace.value?.trace.media ?? []} />
      <Deliveries record={record} steps={steps} messages={messages} />
      <RevisionPart record={record} />
      <Comparison record={record} />
    </>
  );
}

const Waiting = () => (
  <p className="dim">
    <Trans>Asking the hosts of the site…</Trans>
  </p>
);
