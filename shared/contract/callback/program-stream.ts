import { z } from 'zod';
import { connectionIdField, maybeText, origin, replyIdField, text } from './media-field.ts';
import { streamTargetSchema } from './recording-session.ts';

/** The sides of a call as a program hears them; `mixed` is one channel with all of them. */
export const STREAM_CHANNELS = ['inbound', 'outbound', 'mixed'] as const;

/**
 * A program that hears a call, and may speak in it (media document 4.3, decisions 5). Without further fields it is the
 * target of a recording session: frames of PCM, one way.
 */
export const programStreamSchema = streamTargetSchema
  .extend({
    channels: z.array(z.enum(STREAM_CHANNELS)).min(1).max(2).optional().meta({
      description:
        'inbound: the caller, the party of an IVR, all members of a conference; outbound: the callee; mixed: all in one channel. Default: each side for a program that listens, mixed for one that speaks',
    }),
    framing: z.enum(['pcm', 'mediaStream']).default('pcm').meta({
      description:
        'pcm: binary frames of one chunk per channel; mediaStream: JSON messages connected, start, media, dtmf, mark, stop',
    }),
    encoding: z
      .enum(['audio/x-mulaw', 'audio/x-alaw', 'audio/x-l16'])
      .optional()
      .meta({ description: 'Samples in both directions; default audio/x-mulaw, with pcm audio/x-l16' }),
    sampleRate: z
      .union([z.literal(8_000), z.literal(16_000)])
      .default(8_000)
      .meta({ description: 'Sample rate in both directions', 'x-unit': 'Hz' }),
    bidirectional: z
      .boolean()
      .default(false)
      .meta({ description: 'The program may speak: it is a participant. Its stream is not opened again' }),
    volume: z
      .number()
      .min(-40)
      .max(20)
      .default(0)
      .meta({ description: 'Change of the volume of the program', 'x-unit': 'dB' }),
    playMode: z.enum(['mix', 'replace']).default('mix').meta({
      description: 'replace: while the program speaks, the participants hear it alone',
    }),
    customParameters: z
      .record(z.string().min(1).max(128), z.string().max(1_024))
      .refine((all) => Object.keys(all).length <= 50, 'must have 50 entries at most')
      .optional()
      .meta({ description: 'Copied into start', example: { language: 'sv' } }),
  })
  .meta({
    id: 'ProgramStream',
    description: 'A program that hears a call and may speak in it',
    example: { url: 'wss://ai.example/in', framing: 'mediaStream', bidirectional: true },
  });

/** The fault of a target that no stream can go to, with its place below the target. */
export function programStreamFault({
  url,
  channels = [],
  chunkDuration = 20,
  framing,
  encoding,
  bidirectional,
}: ProgramStream): { readonly path: string; readonly reason: string } | undefined {
  if (!/^wss?:\/\/[^/]/i.test(url) || !URL.canParse(url))
    return { path: '/url', reason: 'url must be a WebSocket address that begins with wss:// or ws://' };
  if (chunkDuration % 20 !== 0)
    return {
      path: '/chunkDuration',
      reason: `chunkDuration must be a multiple of 20 ms, and is ${chunkDuration}`,
    };
  if (framing === 'pcm' && encoding !== undefined && encoding !== 'audio/x-l16')
    return { path: '/encoding', reason: 'encoding must be audio/x-l16 with the framing pcm' };
  if (channels.includes('mixed') && channels.length > 1)
    return { path: '/channels', reason: 'channels must be mixed alone, or inbound and outbound' };
  if (new Set(channels).size < channels.length)
    return { path: '/channels', reason: 'channels must name each side once' };
  if (bidirectional && channels.length > 1)
    return { path: '/channels', reason: 'channels must be one side, or mixed, for a program that speaks' };
  return undefined;
}

export const MEDIA_STREAM_EVENTS = {
  started: 'STREAMSTARTED',
  stopped: 'STREAMSTOPPED',
  failed: 'STREAMFAILED',
} as const;

/** Callbacks /streamStarted, /streamStopped and /streamFailed of a media service or an alarm bridge. */
export const mediaStreamEventSchema = z
  .object({
    ...origin,
    event: z.enum(['STREAMSTARTED', 'STREAMSTOPPED', 'STREAMFAILED']),
    connectionId: connectionIdField.optional(),
    streamId: text('Stream'),
    url: text('WebSocket URL'),
    replyId: replyIdField,
    startTime: z.number().int().optional().meta({ description: 'STREAMSTARTED: ms since 1970' }),
    stopTime: z.number().int().optional().meta({ description: 'STREAMSTOPPED: ms since 1970' }),
    channels: z.number().int().optional().meta({ description: 'STREAMSTARTED: number of channels' }),
    reason: maybeText('STREAMSTOPPED: stopped, callEnded or closedByProgram; STREAMFAILED: cause'),
    droppedMs: z
      .number()
      .optional()
      .meta({ description: 'Audio that the program was too slow for', 'x-unit': 'ms' }),
    reconnects: z.number().int().optional().meta({ description: 'Connections after the first one' }),
    refusedMs: z
      .number()
      .optional()
      .meta({ description: 'Audio of the program that found no room in its queue', 'x-unit': 'ms' }),
    ignored: z
      .number()
      .int()
      .optional()
      .meta({ description: 'Messages of the program that nothing could be read from' }),
    streamReferenceId: z
      .record(z.string(), z.unknown())
      .optional()
      .meta({ description: 'Object of the application' }),
  })
  .meta({ id: 'MediaStreamEvent', description: 'A stream of a call began or ended' });

export type ProgramStream = z.output<typeof programStreamSchema>;
export type MediaStreamEvent = z.output<typeof mediaStreamEventSchema>;
