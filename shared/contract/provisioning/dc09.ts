import { z } from 'zod';
import { SECRET_PLACEHOLDER } from './field.ts';

const AES_KEY = /^([0-9a-fA-F]{32}|[0-9a-fA-F]{48}|[0-9a-fA-F]{64})$/;

const HOUR_MS = 3_600_000;

/** An AES key; the placeholder keeps the stored one. */
export const dc09KeyField = z.string().refine((key) => key === SECRET_PLACEHOLDER || AES_KEY.test(key), {
  message: 'must be an AES key of 32, 48 or 64 hexadecimal digits',
});

/** SIA DC-09 settings of a device, or of a bridge for every account it receives. */
export const dc09Schema = z
  .strictObject({
    key: dc09KeyField.optional().meta({
      description: 'AES key in hexadecimal digits: 128, 192 or 256 bit',
      example: '<KEY>',
    }),
    supervisionInterval: z
      .number()
      .int()
      .min(30_000)
      .max(25 * HOUR_MS)
      .optional()
      .meta({
        description: 'Longest silence before the device counts as offline, 30 s to 25 h',
        example: 120_000,
        'x-unit': 'ms',
      }),
    timeWindowS: z
      .strictObject({
        ahead: z
          .number()
          .int()
          .nonnegative()
          .default(20)
          .meta({ description: 'Tolerance for a clock that is ahead', example: 20, 'x-unit': 's' }),
        behind: z
          .number()
          .int()
          .nonnegative()
          .default(40)
          .meta({ description: 'Tolerance for a clock that is behind', example: 40, 'x-unit': 's' }),
      })
      .optional()
      .meta({ description: 'Window for the time of encrypted frames' }),
    encryptionRequired: z.boolean().default(false).meta({
      description: 'true: plain frames of an account with a key are refused; false: handled with a warning',
      example: true,
    }),
    deliverUnreadable: z.boolean().optional().meta({
      description:
        'A frame of a provisioned device whose data names no event is acknowledged and delivered as an unknown event with its raw text, and a serviceAlarm dc09Unreadable is raised once per account and day; false: the frame is refused (DUH), so that the device uses its next receiver. Default true',
      example: true,
    }),
  })
  .meta({
    id: 'Dc09Settings',
    description: 'SIA DC-09 key, supervision and time window',
    example: {
      supervisionInterval: 120_000,
      timeWindowS: { ahead: 20, behind: 40 },
      encryptionRequired: false,
    },
  });

export type Dc09Settings = z.infer<typeof dc09Schema>;
