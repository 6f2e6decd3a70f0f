import { fail, ok, type Result } from '#shared/result.ts';

/**
 * How those who were heard are laid out: `perSide` each on a channel of one file, `mixed` all on one channel,
 * `perParticipant` each in a file of their own with one channel.
 */
export type RecordingLayout = 'perSide' | 'mixed' | 'perParticipant';
/** By the ending of the file's name. */
export type RecordingFormat = 'wav' | 'mp3';

/** One file: its name, and for each of its channels the inputs that are summed on it. */
export interface MappedFile {
  readonly file: string;
  readonly format: RecordingFormat;
  readonly channels: readonly (readonly number[])[];
}

const MOST_CHANNELS: Readonly<Record<RecordingFormat, number>> = { wav: 32, mp3: 2 };

/** `wav` or `mp3` by the name's ending, whatever its case; undefined for any other. */
export const formatOf = (file: string): RecordingFormat | undefined => {
  const ending = /\.(wav|mp3)$/i.exec(file)?.[1]?.toLowerCase();
  return ending === 'wav' || ending === 'mp3' ? ending : undefined;
};

/**
 * Files of a recording with `inputs` participants. `Unsupported` names what to change: the ending of the name, or a
 * layout with fewer channels.
 *
 * Chosen: one file per participant is called `name-1.wav`, `name-2.wav` …, in the order of the inputs.
 */
export function mapChannels(
  file: string,
  layout: RecordingLayout,
  inputs: number,
): Result<readonly MappedFile[]> {
  const format = formatOf(file);
  if (format === undefined) {
    return fail('Unsupported', `${file} must end in .wav or .mp3: the ending decides the format.`);
  }
  if (inputs < 1) return fail('Unsupported', `${file} would record nobody.`);
  const all = Array.from({ length: inputs }, (_, input) => input);
  if (layout === 'mixed') return ok([{ file, format, channels: [all] }]);
  if (layout === 'perParticipant') {
    return ok(all.map((input) => ({ file: numbered(file, input + 1), format, channels: [[input]] })));
  }
  if (inputs > MOST_CHANNELS[format]) {
    return fail(
      'Unsupported',
      `${file}: ${inputs} channels do not fit into ${format} (${MOST_CHANNELS[format]}); record them mixed or per participant.`,
    );
  }
  return ok([{ file, format, channels: all.map((input) => [input]) }]);
}

const numbered = (file: string, number: number): string => file.replace(/\.[^.]+$/, `-${number}$&`);
