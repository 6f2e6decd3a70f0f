import { Trans, useLingui } from '@lingui/react/macro';
import { lazy, Suspense, useEffect, useState } from 'react';
import './player.css';
import type { CallFailure } from '#shared/client/index.ts';
import { ErrorNotice } from '../error-notice.tsx';
import type { RecordingMark } from '../trace/recording-mark.ts';
import { openSound, type Sound } from './sound.ts';

const Wave = lazy(() => import('./wave.tsx').then(({ Wave: loaded }) => ({ default: loaded })));

export interface PlayerProps {
  /** Name of the file in prompt storage. */
  readonly name: string;
  /** Marks of a recording of this length, ms. */
  readonly marks?: (lengthMs: number) => readonly RecordingMark[];
  readonly markText?: (mark: RecordingMark) => string;
  /** The place that is heard, ms since the begin. */
  readonly onTime?: (ms: number) => void;
  /** A place to go to, ms since the begin; each seek is an object of its own. */
  readonly seek?: { readonly atMs: number } | undefined;
}

/**
 * Plays a recording. It is fetched when a person wants to hear it and not before: the audit log names each person who did.
 */
export function Player({ name, marks, markText, onTime, seek }: PlayerProps) {
  const { t } = useLingui();
  const [sound, setSound] = useState<Sound | undefined>();
  const [failure, setFailure] = useState<CallFailure | undefined>();
  const [isAsked, setAsked] = useState(false);
  const [audio, setAudio] = useState<HTMLAudioElement | null>(null);
  const [lengthMs, setLengthMs] = useState(0);
  useEffect(
    () => () => {
      if (sound?.kind === 'whole') URL.revokeObjectURL(sound.url);
    },
    [sound],
  );
  useEffect(() => {
    if (audio === null || seek === undefined) return;
    audio.currentTime = Math.max(0, seek.atMs / 1_000);
    void audio.play();
  }, [seek, audio]);
  const open = async (): Promise<void> => {
    setAsked(true);
    setFailure(undefined);
    const opened = await openSound(name);
    setAsked(false);
    if (opened.ok) setSound(opened.value);
    else setFailure(opened.error);
  };
  if (sound === undefined)
    return (
      <div className="player">
        <p className="flat player-begin">
          <button type="button" disabled={isAsked} onClick={() => void open()}>
            {isAsked ? t`Fetching it from where it lies…` : t`Listen`}
          </button>
          <span className="dim">
            <Trans>The audit log names each person who listens.</Trans>
          </span>
        </p>
        <ErrorNotice failure={failure} />
      </div>
    );
  const shown = lengthMs > 0 ? (marks?.(lengthMs) ?? []) : [];
  return (
    <div className="player">
      {sound.kind === 'whole' && audio !== null && (
        <div className="player-wave">
          <Suspense
            fallback={
              <p className="dim">
                <Trans>One moment…</Trans>
              </p>
            }
          >
            <Wave blob={sound.blob} audio={audio} />
          </Suspense>
          {shown.map((mark) => (
            <button
              key={`${mark.atMs} ${mark.kind}`}
              type="button"
              className="player-mark"
              style={{ left: `${(mark.atMs / lengthMs) * 100}%` }}
              title={markText?.(mark)}
              onClick={() => {
                if (audio !== null) audio.currentTime = mark.atMs / 1_000;
              }}
            >
              <span>{mark.tones === '' ? '▾' : mark.tones}</span>
            </button>
          ))}
        </div>
      )}
      {sound.kind === 'parts' && (
        <p className="dim flat">
          <Trans>This recording is long: it comes part by part as it is heard, without its waveform.</Trans>
        </p>
      )}
      {/* biome-ignore lint/a11y/useMediaCaption: recordings of calls have no captions */}
      <audio
        ref={setAudio}
        controls
        autoPlay
        src={sound.url}
        aria-label={t`Recording ${name}`}
        onDurationChange={({ currentTarget: { duration } }) => {
          if (Number.isFinite(duration)) setLengthMs(duration * 1_000);
        }}
        onTimeUpdate={({ currentTarget: { currentTime } }) => onTime?.(currentTime * 1_000)}
      />
    </div>
  );
}
