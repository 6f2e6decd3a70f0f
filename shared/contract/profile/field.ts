import { z } from 'zod';
import { RECEIVE_LIST } from '#shared/alarm-event/index.ts';

/** Whole numbers within the bounds that keep an engine sane. */
export const whole = (least: number, most: number) => z.number().int().min(least).max(most);

/** Durations in ms. No machine of ours waits longer than half an hour for one thing. */
export const ms = (least: number, most = 1_800_000) => whole(least, most);

/** DTMF symbols. */
export const digits = (most: number) =>
  z.string().regex(new RegExp(`^[0-9A-D*#]{1,${most}}$`), `must be 1 to ${most} of 0-9, A-D, * and #`);

/** A frequency of the voice band, Hz. */
export const hertz = whole(200, 3600);

/** Media types; `*` takes any. */
export const contentTypes = z
  .array(z.string().regex(/^(?:\*|[\w.+-]+\/[\w.+-]+)$/, 'must be a media type, or *'))
  .min(1)
  .max(16);

/** The settings of a destination whatever its protocol: the word for a device type that the receive list does not have. */
export const destination = { unknownDeviceType: z.enum(RECEIVE_LIST.deviceType) };

/** The notes of a built-in file about itself: accepted, so that a file can be sent back as it is, and without effect. */
export const note = {
  confidence: z.string().max(40).optional(),
  unconfirmed: z.array(z.string().max(80)).max(40).optional(),
};
