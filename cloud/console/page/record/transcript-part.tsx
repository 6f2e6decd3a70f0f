import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { domain, mayHandle } from '../../client/session.ts';
import { offset } from '../../component/trace/lane.ts';
import { linesOf, missedIn, type ShownLine } from '../../component/trace/transcript.ts';
import type { Entry } from './record-words.ts';
import { useTranscript } from './use-transcript.ts';

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
  const isOn = mayHandle.value && (isAsked || isKnown);
  const { transcript, isLive, hasFailed } = useTranscript(domain.value, recordId, isOn);
  // The record of a session that runs names the recordings of its begin: others may have come since.
  if (!mayHandle.value || (!isKnown && !isRunning)) return null;
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
      {!isOn && (
        <p>
          <button type="button" className="plain" onClick={() => setAsked(true)}>
            <Trans>Follow what is said</Trans>
          </button>{' '}
          <span className="dim">
            <Trans>The audit log names each person who reads along.</Trans>
          </span>
        </p>
      )}
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
      {lines.length > 0 && (
        <ol className="transcript" aria-live={isLive ? 'polite' : 'off'}>
          {lines.map((line) => (
            <Line key={line.key} line={line} sessionAt={record.at} onSeek={onSeek} />
          ))}
        </ol>
      )}
      {missed > 0 && (
        <p className="dim">
          <Trans>Utterances without an answer of a recogniser: {missed}.</Trans>
        </p>
      )}
    </section>
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
    <li className={isPartial ? 'is-partial' : ''} aria-busy={isPartial}>
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
      <span className="lane-name">{known === undefined ? (speaker ?? t`Side ${side}`) : t(known)}</span>
      <span
        className="said"
        title={confidence === undefined ? undefined : t`Confidence ${Math.round(confidence * 100)} %`}
      >
        {text}
        {isPartial && ' …'}
      </span>
    </li>
  );
}
