import { Trans } from '@lingui/react/macro';
import { useEffect, useRef, useState } from 'react';
import WaveSurfer from 'wavesurfer.js';
import { colourReader } from '../chart/colour.ts';
import { useTheme } from '../chart/theme.ts';

/** Pixels of one side of the conversation. */
const HEIGHT = 56;

/** The nonce of this response, under which the server allows styles. */
const nonce = (): string => document.querySelector<HTMLElement>('meta[property="csp-nonce"]')?.nonce ?? '';

/** Rate at which a waveform is computed, Hz: that of a telephone. */
const RATE = 8_000;

interface Decoded {
  readonly channels: Float32Array[];
  /** Seconds. */
  readonly duration: number;
}

async function decode(blob: Blob): Promise<Decoded> {
  const decoded = await new OfflineAudioContext(1, 1, RATE).decodeAudioData(await blob.arrayBuffer());
  const { numberOfChannels, duration } = decoded;
  const channels = Array.from({ length: numberOfChannels }, (_, index) => decoded.getChannelData(index));
  return { channels, duration };
}

/**
 * The waveform of a sound that an element plays: a line for each side. A press on it goes there.
 *
 * Chosen: the page decodes the sound itself. The library would fetch it from its `blob:` address, which the policy of the page
 * forbids.
 */
export function Wave({ blob, audio }: { readonly blob: Blob; readonly audio: HTMLAudioElement }) {
  const place = useRef<HTMLDivElement>(null);
  const [decoded, setDecoded] = useState<Decoded | 'unknown' | undefined>();
  const theme = useTheme();
  useEffect(() => {
    let isOver = false;
    const take = (found: Decoded | 'unknown'): void => {
      if (!isOver) setDecoded(found);
    };
    decode(blob).then(take, () => take('unknown'));
    return () => {
      isOver = true;
    };
  }, [blob]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of the theme changes the colours that are read here
  useEffect(() => {
    const element = place.current;
    if (element === null || decoded === undefined || decoded === 'unknown') return undefined;
    const colour = colourReader(element);
    const side = (name: string) => ({
      waveColor: colour(name),
      progressColor: colour('--dim'),
      height: HEIGHT,
    });
    const wave = WaveSurfer.create({
      ...{ container: element, media: audio, peaks: decoded.channels, duration: decoded.duration },
      ...{ height: HEIGHT, normalize: true, cspNonce: nonce() },
      ...{ cursorColor: colour('--ink'), cursorWidth: 2, barWidth: 2, barGap: 1, barRadius: 1 },
      splitChannels: [side('--series-1'), side('--series-2')],
    });
    return () => wave.destroy();
  }, [decoded, audio, theme]);
  if (decoded === 'unknown')
    return (
      <p className="dim flat">
        <Trans>The browser plays this format and draws no waveform of it.</Trans>
      </p>
    );
  return <div ref={place} className="wave" aria-hidden="true" />;
}
