import { z } from 'zod';
import { recordingLineSchema } from '../callback/index.ts';
import { traceHostSchema } from './trace.ts';

const count = (description: string) => z.number().int().nonnegative().meta({ description });
const time = z.number().nonnegative();

/** Most bytes of lines in one answer of a host: a message has 64 KiB. */
export const TRANSCRIPT_PAGE_BYTES = 40_000;

const partialSchema = z
  .object({
    channel: count('Channel of the recording'),
    speaker: z.string().optional().meta({ description: 'Speaker on the channel, where it is known' }),
    offset: count('Begin, from the begin of the recording').meta({ 'x-unit': 'ms' }),
    text: z.string().meta({ description: 'Words so far; the line replaces them' }),
  })
  .meta({ id: 'PartialLine', description: 'An utterance that is being spoken' });

const wordsFields = {
  recordingId: z.string().meta({ description: 'Recording' }),
  fileName: z.string().meta({ description: 'File name of the recording' }),
  startedAt: time.meta({ description: 'Begin of the recording, epoch ms by the clock of the host' }),
  running: z.boolean().meta({ description: 'The recording goes on: more lines follow' }),
  first: count('Index of the first of these lines'),
  lines: z.array(recordingLineSchema).meta({ description: 'Utterances, in the order of their recognition' }),
  partials: z.array(partialSchema).meta({ description: 'Utterances that are being spoken' }),
  missed: count('Utterances that no recogniser has answered, or that are too many'),
  error: z.string().optional().meta({ description: 'Cause for which the last of them is missing' }),
};

/** `data` of the answer to `transcript.get`: the words of recordings after those that were had already. */
export const hostTranscriptSchema = z.object({
  recordings: z.array(
    z.object({
      ...wordsFields,
      /** Number of its lines at the host. */
      total: z.number().int().nonnegative(),
      /** The control plane has taken the file. */
      uploaded: z.boolean(),
    }),
  ),
});

/** `data` of the answer to `transcript.search`, the newest first. No word leaves the host. */
export const hostTranscriptMatchesSchema = z.object({
  found: z.array(
    z.object({
      traceId: z.string(),
      recordingId: z.string(),
      fileName: z.string(),
      /** Epoch ms by the clock of the host. */
      startedAt: time,
      /** The control plane has taken the file. */
      uploaded: z.boolean(),
    }),
  ),
  /** There are older ones. */
  more: z.boolean(),
});

const recordingWordsSchema = z
  .strictObject({ hostId: z.string().meta({ description: 'Host that recorded' }), ...wordsFields })
  .meta({ id: 'RecordingWords', description: 'Words of one recording' });

/** GET /record/{domain}/{recordId}/transcript. */
export const recordTranscriptSchema = z
  .strictObject({
    recordId: z.string().meta({ description: 'Record' }),
    hosts: z.array(traceHostSchema).meta({
      description: 'Hosts of the site; empty: the host has no words of it, or no longer',
    }),
    recordings: z
      .array(recordingWordsSchema)
      .meta({ description: 'Recordings with words, in order of time' }),
  })
  .meta({
    id: 'RecordTranscript',
    description: 'Words of a session, from the hosts of its site',
    example: {
      recordId: '01jd0000000000000000000000',
      hosts: [{ hostId: 'gw-1', state: 'sent' }],
      recordings: [
        {
          ...{ hostId: 'gw-1', recordingId: '7c1f0a52-0000-4000-8000-000000000000', fileName: 'audit-1.wav' },
          ...{ startedAt: 1_795_680_000_000, running: false, first: 0, partials: [], missed: 0 },
          lines: [{ channel: 0, speaker: 'device', offset: 1_200, duration: 2_400, text: 'I have fallen' }],
        },
      ],
    },
  });

/** Data of an event of the stream: what is new. A recording has its new lines, and what is being spoken. */
export const transcriptNewsSchema = recordTranscriptSchema.meta({
  id: 'TranscriptNews',
  description: 'New words of a session; first says where the lines belong',
});

export type HostTranscript = z.output<typeof hostTranscriptSchema>;
export type HostTranscriptMatches = z.output<typeof hostTranscriptMatchesSchema>;
export type RecordTranscript = z.output<typeof recordTranscriptSchema>;
export type RecordingWords = RecordTranscript['recordings'][number];
