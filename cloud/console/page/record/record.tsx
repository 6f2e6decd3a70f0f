import { Trans, useLingui } from '@lingui/react/macro';
import { useCallback, useDeferredValue, useEffect, useRef, useState } from 'react';
import './record.css';
import './transcript.css';
import type { OperationName, Operations } from '#shared/client/index.ts';
import { api } from '../../client/api.ts';
import { useLive } from '../../client/live.ts';
import { useRecordChanges } from '../../client/record-change.ts';
import { usePart } from '../../client/route.ts';
import { domain } from '../../client/session.ts';
import { ErrorNotice } from '../../component/error-notice.tsx';
import { Stale } from '../../component/notice.tsx';
import { PageLink } from '../../component/page-link.tsx';
import { MOMENT } from '../../component/wording/figure.ts';
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
import { type Once, useOnce } from './use-once.ts';

const STEP_MS = 10_000;
/** The same one with each drawing: what is worked out from it is kept. */
const NONE: readonly never[] = [];

/** One session: who, where, what and what became of it, step by step. */
export function RecordPage() {
  const recordId = usePart('recordId');
  return <One key={recordId} recordId={recordId} />;
}

function One({ recordId }: { readonly recordId: string }) {
  useRecordChanges(domain.value);
  const live = useLive(
    () => api.call('getRecordByDomainByRecordId', { domain: domain.value, recordId }),
    [domain.value, recordId],
    STEP_MS,
    ['record'],
  );
  const record = live.value?.record;
  // Asked beside the record, not after it: the way to a host is the longest one.
  const asked = { domain: domain.value, recordId };
  const key = `${recordId} ${useEnds(record?.result)}`;
  const trace = useOnce(() => api.call('getRecordByDomainByRecordIdTrace', asked), key);
  const capture = useOnce(() => api.call('getRecordByDomainByRecordIdCaptureJson', asked), key);
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
          <Story record={record} trace={trace} capture={capture} />
        </>
      )}
    </>
  );
}

/** How often the session has ended while its page was open: its hosts have more of it then. */
function useEnds(result: Entry['result'] | undefined): number {
  const [ends, setEnds] = useState(0);
  const before = useRef(result);
  useEffect(() => {
    if (before.current === 'running' && result !== 'running') setEnds((count) => count + 1);
    before.current = result;
  }, [result]);
  return ends;
}

type Fetched<Name extends OperationName> = Once<Operations[Name]['answer']>;

/** Steps and messages of the hosts of the site: fetched when the page opens, and again when the session has ended. */
function Story(props: {
  readonly record: Entry;
  readonly trace: Fetched<'getRecordByDomainByRecordIdTrace'>;
  readonly capture: Fetched<'getRecordByDomainByRecordIdCaptureJson'>;
}) {
  const { record, trace, capture } = props;
  const { t, i18n } = useLingui();
  const steps = trace.value?.trace.steps ?? NONE;
  const messages = capture.value?.capture.messages ?? NONE;
  // Bodies of deliveries are looked for in all messages: the ladder is drawn before that.
  const searched = useDeferredValue(messages);
  const [playedMs, setPlayed] = useState<number | undefined>();
  const [seek, setSeek] = useState<{ readonly atMs: number } | undefined>();
  const seekTo = useCallback((atMs: number) => setSeek({ atMs }), []);
  const hasRecording = (record.recordings ?? []).length > 0;
  const away = (trace.value?.trace.hosts ?? []).filter(({ state }) => state === 'away' || state === 'failed');
  return (
    <>
      {away.map(({ hostId, since, reason }) => (
        <p key={hostId} className="notice">
          {reason ??
            t`Host ${hostId} is not connected since ${since === undefined ? '?' : i18n.date(since, MOMENT)}. Its part is missing here and comes when it is back.`}
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
            {...(hasRecording && playedMs !== undefined ? { onSeek: seekTo } : {})}
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
      <Deliveries record={record} steps={steps} messages={searched} />
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
