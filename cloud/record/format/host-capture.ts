import { z } from 'zod';
import type { CapturedMedia, CapturedMessage } from '#shared/contract/session-record/index.ts';

const messageSchema = z.object({
  at: z.string().max(40),
  direction: z.enum(['in', 'out']),
  transport: z.string().max(16),
  protocol: z.string().max(16),
  from: z.string().max(300),
  to: z.string().max(300),
  configuredAddress: z.literal(true).optional(),
  text: z.string().optional(),
  base64: z.string().optional(),
});

const mediaSchema = z.object({
  at: z.string().max(40),
  kind: z.string().max(64),
  detail: z.record(z.string(), z.unknown()).default({}),
});

const sentSchema = z.object({
  v: z.literal(1),
  kind: z.literal('carillon-capture'),
  messages: z.array(messageSchema),
  media: z.array(mediaSchema).default([]),
});

/** The members of the answer of `capture.export`. */
const reportSchema = z.object({
  messages: z.number().int().nonnegative(),
  overwritten: z.boolean(),
  oldestAt: z.string().max(40).nullable(),
  cut: z.boolean(),
});
export type HostReport = z.output<typeof reportSchema>;

export const reportOf = (data: unknown): HostReport | undefined => reportSchema.safeParse(data).data;

/** The messages and the audio in what a host has sent; undefined when it is no capture. */
export function captureOf(
  json: string,
  hostId: string,
): { readonly messages: CapturedMessage[]; readonly media: CapturedMedia[] } | undefined {
  const { data } = sentSchema.safeParse(parsed(json));
  return (
    data && {
      messages: data.messages.map((message) => ({ ...message, hostId })),
      media: data.media.map((step) => ({ ...step, hostId })),
    }
  );
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
