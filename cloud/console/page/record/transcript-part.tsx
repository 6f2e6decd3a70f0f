import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { useEffect, useState } from 'react';
import { domain, mayHandle } from '../../client/session.ts';
import { offset } from '../../component/trace/lane.ts';
import { linesOf, missedIn, type ShownLine } from '../../component/trace/transcript.ts';
import { useTranscript } from '../../component/trace/use-transcript.ts';
import { percent } from '../../component/wording/figure.ts';
import type { Entry } from './record-words.ts';

interface TranscriptProps {
  readonly record: Entry;
  /** Plays the recording from a line on; epoch ms. Absent: no recording is open. */
  readonly onSeek: ((at: number) => void) | undefined;
}

/** The words of a session: while it runs, as they are spoken. */
export function TranscriptPart({ record, onSeek }: TranscriptProps) {
  const { recordId, result } = record;
  const isKnown = (record.transcripts ?? 0) > 0;
  const isRunning = result === 'running';
  const [isAsked, setAsked] = useState(false);
  // Words that a person reads stay, also while the record of a session that has just ended does not count them yet.
  useEffect(() => {
    if (isKnown) setAsked(true);
  }, [isKnown]);
  const isOn = mayHandle.value && (isAsked || isKnown);
  const { transcript, isLive, hasFailed } = useTranscript(domain.value, recordId, isOn);
  // The record of a session that runs names the recordings of its begin: others may have come since.
  // A session that has ended meanwhile may not count its words yet: what a person reads stays.
  if (!mayHandle.value || (!isKnown && !isRunning && !isAsked)) return null;
  const lines = transcript === undefined ? [] : linesOf(transcript);
  const missed = transcript === undefined ? 0 : missedIn(transcript);
  const away = (transcript?.hosts ?? []).filter(({ state }) => state === 'away' || state === 'failed');
  return (
    <section className="record-part">
      <header>
        <h2>
          <Trans>Transcript</Trans>
        </h2>
        {isLive && (
          <span className="freshness good">
            <span aria-hidden="true">●</span> <Trans>live</Trans>
          </span>
        )}
      </header>
      <p>
        {!isOn && (
          <button type="button" className="plain" onClick={() => setAsked(true)}>
            <Trans>Follow what is said</Trans>
          </button>
        )}{' '}
        <span className="dim">
          <Trans>The audit log names each person who reads along.</Trans>
        </span>
      </p>
      {hasFailed && (
        <p className="notice bad" role="alert">
          <Trans>The words did not come. Open the record again to ask for them once more.</Trans>
        </p>
      )}
      {away.map(({ hostId, reason }) => (
        <p key={hostId} className="notice">
          {reason ?? <Trans>Host {hostId} is not connected: its words are missing here.</Trans>}
        </p>
      ))}
      {isOn && transcript === undefined && !hasFailed && (
        <p className="dim">
          <Trans>Asking the hosts of the site…</Trans>
        </p>
      )}
      {isOn && transcript !== undefined && lines.length === 0 && (
        <p className="dim">
          {isLive ? (
            <Trans>Nothing was said so far.</Trans>
          ) : (
            <Trans>
              No host has words of this session. They are removed with the recording, and exist where a
              recogniser of the host transcribes recordings.
            </Trans>
          )}
        </p>
      )}
      {isOn && <Lines lines={lines} isLive={isLive} sessionAt={record.at} onSeek={onSeek} />}
      {missed > 0 && (
        <p className="dim">
          <Trans>Utterances without an answer of a recogniser: {missed}.</Trans>
        </p>
      )}
    </section>
  );
}

/**
 * The lines that are over, and below them what is being spoken. A person who hears the page hears each line once, when it is
 * over: the words of an utterance change several times a second. The lines that were there when the page opened are not read out.
 */
function Lines(props: {
  readonly lines: readonly ShownLine[];
  readonly isLive: boolean;
  readonly sessionAt: number;
  readonly onSeek: TranscriptProps['onSeek'];
}) {
  const { lines, isLive, sessionAt, onSeek } = props;
  const { t } = useLingui();
  const [isAnnounced, setAnnounced] = useState(false);
  useEffect(() => {
    if (isLive) setAnnounced(true);
  }, [isLive]);
  const drawn = (isPartial: boolean) =>
    lines
      .filter((line) => line.isPartial === isPartial)
      .map((line) => <Line key={line.key} line={line} sessionAt={sessionAt} onSeek={onSeek} />);
  const spoken = drawn(true);
  return (
    <>
      <div role="log" aria-label={t`Transcript`} aria-live={isAnnounced ? 'polite' : 'off'}>
        <ol className="transcript">{drawn(false)}</ol>
      </div>
      {spoken.length > 0 && (
        <ol className="transcript is-partial" aria-label={t`Being spoken`}>
          {spoken}
        </ol>
      )}
    </>
  );
}

const SPEAKERS = { device: msg`Device`, people: msg`People` } as const;

function Line(props: {
  readonly line: ShownLine;
  readonly sessionAt: number;
  readonly onSeek: TranscriptProps['onSeek'];
}) {
  const { line, sessionAt, onSeek } = props;
  const { t } = useLingui();
  const { speaker, channel, text, at, confidence, isPartial } = line;
  const known = SPEAKERS[speaker as keyof typeof SPEAKERS];
  const side = channel + 1;
  const time = offset(Math.max(0, at - sessionAt));
  return (
    <li>
      {onSeek === undefined || isPartial ? (
        <span className="at number dim">{time}</span>
      ) : (
        <button
          type="button"
          className="link at number"
          title={t`Listen from here`}
          onClick={() => onSeek(at)}
        >
          {time}
        </button>
      )}
      <strong className="speaker">{known === undefined ? (speaker ?? t`Side ${side}`) : t(known)}</strong>
      <span
        className="said"
        title={confidence === undefined ? undefined : t`Confidence ${{ share: percent(confidence, 0) }}`}
      >
        {text}
        {isPartial && ' …'}
      </span>
    </li>
  );
}
