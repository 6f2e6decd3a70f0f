import { z } from 'zod';
import { type DataSubject, digitsOf, LEAST_DIGITS } from '../../matching/index.ts';

export const deviceIdText = z.string().min(1).max(256);

/** A telephone number, or a SIP address. */
export const addressText = z
  .string()
  .min(1)
  .max(256)
  .refine((text) => isSipAddress(text) || digitsOf(text) !== undefined, {
    message: `must be a telephone number of at least ${LEAST_DIGITS} digits, or a SIP address such as sip:anna@care.example`,
  });

const isSipAddress = (text: string): boolean => /^(sips?:)?[^\s@<>"]{1,128}@[^\s@<>"]{1,128}$/i.test(text);

/** Whose data: a device as it is or was provisioned, or a person by number or SIP address. */
export const dataSubjectSchema = z.union([
  z.strictObject({ deviceId: deviceIdText }),
  z.strictObject({ address: addressText }),
]) satisfies z.ZodType<DataSubject>;
