import type { ContactIdMessage } from '#shared/alarm-event/index.ts';
import { type Failure, fail, ok, type Result } from '#shared/result.ts';

/** One message of an ADM-CID data field. */
export interface AdmCidEvent extends ContactIdMessage {
  /** `#account` before the bar; null = only the head names it. */
  readonly account: string | null;
}

const DATA = /^(?:#([0-9A-F]{1,16}))?\|(\d)([0-9A-F]{3}) ?([0-9A-F]{2}) ?([0-9A-F]{3})$/i;

/** Reads `#1234|1131 01 015`: qualifier and event, group, zone (ANSI/SIA DC-09 5.5.1.7, DC-05). */
export function decodeAdmCid(data: string): Result<AdmCidEvent, Failure<'Malformed'>> {
  const parts = DATA.exec(data);
  if (parts === null) return fail('Malformed', 'the data field is not #account|QEEE GG ZZZ');
  const [, account = null, qualifier = '', event = '', group = '', zone = ''] = parts;
  return ok({ account, qualifier, event, group, zone });
}

export const encodeAdmCid = (account: string, { qualifier, event, group, zone }: ContactIdMessage): string =>
  `#${account}|${qualifier}${event} ${group} ${zone}`;
