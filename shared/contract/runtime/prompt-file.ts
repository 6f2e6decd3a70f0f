import { z } from 'zod';

/** Most bytes of a prompt file, and most of what it may say. */
export const PROMPT_BYTES = 50 * 1024 * 1024;
export const PROMPT_SECONDS = 2 * 60 * 60;

/** Media types a prompt may be sent as; what it is, its bytes say. */
export const PROMPT_TYPES = [
  'audio/wav',
  'audio/x-wav',
  'audio/wave',
  'audio/mpeg',
  'audio/mp3',
  'audio/ogg',
  'application/octet-stream',
] as const;

/** Kinds that are read by appliances: WAV (PCM, float, both laws), MP3, OGG with Vorbis or Opus. */
const PROMPT_FORMATS = ['wav', 'mp3', 'ogg'] as const;

/** Nothing climbs out of a folder, nothing hides, nothing surprises a shell. */
export const promptFileNameField = z
  .string()
  .max(200)
  .regex(/^[\p{L}\p{N}_@+-][\p{L}\p{N} _.@+-]*(\/[\p{L}\p{N}_@+-][\p{L}\p{N} _.@+-]*)*$/u, {
    message: 'must be letters, digits, spaces, - _ . + @ and /, and begin with no dot',
  })
  .meta({ description: 'Name of the file in prompt storage', example: 'welcome.wav' });

const success = z.literal(true).meta({ description: 'true; a failure has another body' });

/** PUT, DELETE and move of a prompt file. */
export const promptFileChangedSchema = z
  .strictObject({
    success,
    reason: z.string().optional().meta({ description: 'Remark', example: 'nothing was left to do' }),
    revision: z.number().int().optional().meta({
      description:
        'Revision of the configuration from which sites have the change; absent for recordings. GET /site/{domain}/revision/{revision}?wait=5 waits for it, a phrase with this revision plays no older file',
      example: 17,
    }),
  })
  .meta({
    id: 'PromptFileChanged',
    description: 'The file was stored or removed',
    example: { success: true, revision: 17 },
  });

/** Document 3, 4.1: list of prompt files, recordings among them. */
export const promptFileListSchema = z
  .strictObject({
    success,
    next: z.string().nullable().meta({ description: 'Query of the next page; null: this is the last page' }),
    files: z.array(
      z.strictObject({
        size: z.number().int().meta({ description: 'Size', 'x-unit': 'bytes', example: 48_044 }),
        name: promptFileNameField,
        origin: z
          .enum(['upload', 'recording'])
          .meta({ description: 'upload: a prompt that every site has; recording: a recording of a site' }),
        durationMs: z.number().int().meta({ description: 'Length', 'x-unit': 'ms', example: 3_000 }),
        updatedAt: z.number().int().meta({ description: 'Time of the last write, epoch ms' }),
      }),
    ),
  })
  .meta({ id: 'PromptFileList', description: 'Prompt files in order of their names' });

export const promptFileUrlSchema = z
  .strictObject({
    success,
    url: z.string().meta({ description: 'Opens the file without a token, for 15 minutes' }),
    'Content-Type': z.string().meta({ description: 'Media type of the file', example: 'audio/wav' }),
  })
  .meta({ id: 'PromptFileUrl', description: 'Signed URL of a prompt file' });

/** Document 3, 4.1: move to an object store; the file is deleted here afterwards. */
export const promptFileMoveSchema = z
  .strictObject({
    type: z.literal('objectstore').meta({ description: 'Kind of the target' }),
    bucketRegion: z.string().min(1).max(64).meta({ description: 'Region of the bucket', example: 'local' }),
    bucketName: z
      .string()
      .regex(/^[a-z0-9][a-z0-9.-]{1,62}$/, { message: 'must be 2 to 63 of a-z, 0-9, - and .' })
      .meta({ description: 'Bucket; a folder in the local store', example: 'archive' }),
    kmsKey: z
      .string()
      .regex(/^[A-Za-z0-9._:/-]{1,256}$/, { message: 'must be the id of a key' })
      .optional()
      .meta({ description: 'Key that encrypts the object; its name in the local store' }),
    objectKey: promptFileNameField
      .optional()
      .meta({ description: 'Name in the target; default: its present name' }),
  })
  .meta({
    id: 'PromptFileMove',
    description: 'Target of a moved prompt file',
    example: { type: 'objectstore', bucketRegion: 'local', bucketName: 'archive' },
  });

/** As sites receive it: a row with the hash of its bytes, which come from /edge/v1/blob/{sha256}. */
export const replicatedPromptFileSchema = z.object({
  name: promptFileNameField,
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  size: z.number().int().min(0),
  format: z.enum(PROMPT_FORMATS),
});

/** Entity of the feed. */
export const PROMPT_FILE = 'promptfile';

export type PromptFormat = (typeof PROMPT_FORMATS)[number];
export type ReplicatedPromptFile = z.output<typeof replicatedPromptFileSchema>;
export type PromptFileMove = z.output<typeof promptFileMoveSchema>;
