import type { ContactIdMessage } from '#shared/alarm-event/index.ts';
import { type Failure, fail, ok, type Result } from '#shared/result.ts';
import { accountName } from './account.ts';

/** One message of an ADM-CID data field. */
export interface AdmCidEvent extends ContactIdMessage {
  /** `#account` before the bar; null = only the head names it. */
  readonly account: string | null;
}

/** Interop: blanks and other signs between the numbers, or none. */
const MESSAGE = /^\s*(\d)\s*([0-9A-F]{3})[\s,;_/-]*([0-9A-F]{2})[\s,;_/-]*([0-9A-F]{3})\s*$/i;

/** Reads `#1234|1131 01 015`: qualifier and event, group, zone (ANSI/SIA DC-09 5.5.1.7, DC-05). */
export function decodeAdmCid(data: string): Result<AdmCidEvent, Failure<'Malformed'>> {
  const bar = data.lastIndexOf('|');
  const parts = MESSAGE.exec(data.slice(bar + 1));
  const before = data.slice(0, Math.max(bar, 0)).replace(/\|\s*$/, '');
  const account = accountName(before);
  if (parts === null || (account === null && before.trim() !== '')) {
    return fail('Malformed', 'the data field is not #account|QEEE GG ZZZ');
  }
  const [, qualifier = '', event = '', group = '', zone = ''] = parts;
  return ok({ account, qualifier, event, group, zone });
}

export const encodeAdmCid = (account: string, { qualifier, event, group, zone }: ContactIdMessage): string =>
  `#${account}|${qualifier}${event} ${group} ${zone}`;
