import { Trans, useLingui } from '@lingui/react/macro';
import '../record/record.css';
import { api } from '../../client/api.ts';
import { useLive } from '../../client/live.ts';
import { usePart } from '../../client/route.ts';
import { domain, mayProvision } from '../../client/session.ts';
import { Ago } from '../../component/age.tsx';
import { ErrorNotice } from '../../component/error-notice.tsx';
import { Stale } from '../../component/notice.tsx';
import { PageLink } from '../../component/page-link.tsx';
import { Player } from '../../component/player/player.tsx';
import { soundAddress } from '../../component/player/sound.ts';
import { marksOf, recordingBegin } from '../../component/trace/recording-mark.ts';
import { useMarkText } from '../record/mark-words.ts';
import { KINDS, whoOf } from '../record/record-words.ts';
import { useOnce } from '../record/use-once.ts';
import { Erase } from './erase.tsx';
import { Listeners } from './listeners.tsx';

const STEP_MS = 30_000;

/** The recordings of one session: heard, saved, erased, and who listened. */
export function RecordingPage() {
  const { t } = useLingui();
  const recordId = usePart('recordId');
  const asked = { domain: domain.value, recordId };
  const live = useLive(
    () => api.call('getRecordByDomainByRecordId', asked),
    [domain.value, recordId],
    STEP_MS,
    ['record'],
  );
  const trace = useOnce(() => api.call('getRecordByDomainByRecordIdTrace', asked), recordId);
  const markText = useMarkText();
  const record = live.value?.record;
  const steps = trace.value?.trace.steps ?? [];
  const files = record?.recordings ?? [];
  return (
    <>
      <p className="flat">
        <PageLink page="recording">
          ← <Trans>Recordings</Trans>
        </PageLink>
      </p>
      <Stale failure={live.failure} at={live.at} />
      {record !== undefined && (
        <header className="page">
          <h1>
            {t(KINDS[record.kind])} {whoOf(record)}
          </h1>
          <span className="dim">
            <Ago at={record.at} estimated={record.estimated === true} />
          </span>
          <PageLink page="record" rest={record.recordId}>
            <Trans>The whole session, step by step</Trans>
          </PageLink>
        </header>
      )}
      {record !== undefined && files.length === 0 && (
        <p className="notice">
          {record.erased === true ? (
            <Trans>
              The content of this session was erased on request of the person, its recordings too.
            </Trans>
          ) : (
            <Trans>This session has no recording.</Trans>
          )}
        </p>
      )}
      <ErrorNotice failure={files.length > 0 ? trace.failure : undefined} />
      {files.map((name) => {
        const beginMs = recordingBegin(steps, name);
        return (
          <section key={name} className="record-part">
            <header>
              <h2 className="file-name">{name}</h2>
              <a className="button" href={soundAddress(name)} download>
                <Trans>Download</Trans>
              </a>
            </header>
            <Player
              name={name}
              markText={markText}
              {...(beginMs === undefined ? {} : { marks: (lengthMs) => marksOf(steps, beginMs, lengthMs) })}
            />
            {mayProvision.value && (
              <>
                <Listeners name={name} />
                <Erase name={name} />
              </>
            )}
          </section>
        );
      })}
    </>
  );
}
