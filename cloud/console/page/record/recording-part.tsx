import { Trans } from '@lingui/react/macro';
import { useMemo } from 'react';
import { PageLink } from '../../component/page-link.tsx';
import { Player } from '../../component/player/player.tsx';
import type { Step } from '../../component/trace/lane.ts';
import { marksOf, recordingBegin } from '../../component/trace/recording-mark.ts';
import { useMarkText } from './mark-words.ts';
import type { Entry } from './record-words.ts';

interface InStepProps {
  readonly steps: readonly Step[];
  /** The place that is heard, ms since the first step. */
  readonly onPlace: (ms: number) => void;
  /** A place that the person wants to hear, ms since the first step. */
  readonly seek: { readonly atMs: number } | undefined;
}

/** The recordings of a session, in step with its timeline. */
export function RecordingPart(props: InStepProps & { readonly record: Entry }) {
  const { record } = props;
  const files = record.recordings ?? [];
  if (files.length === 0) return null;
  return (
    <section className="record-part">
      <header>
        <h2>
          <Trans>Recording</Trans>
        </h2>
        <PageLink page="recording" rest={record.recordId}>
          <Trans>Download, listeners, erase</Trans>
        </PageLink>
      </header>
      {files.map((name) => (
        <InStep key={name} name={name} {...props} />
      ))}
    </section>
  );
}

function InStep({ name, steps, onPlace, seek }: InStepProps & { readonly name: string }) {
  const markText = useMarkText();
  const beginMs = recordingBegin(steps, name);
  const own = useMemo(
    () => (seek === undefined || beginMs === undefined ? undefined : { atMs: seek.atMs - beginMs }),
    [seek, beginMs],
  );
  if (beginMs === undefined) return <Player name={name} />;
  return (
    <Player
      name={name}
      marks={(lengthMs) => marksOf(steps, beginMs, lengthMs)}
      markText={markText}
      onTime={(ms) => onPlace(beginMs + ms)}
      seek={own}
    />
  );
}
