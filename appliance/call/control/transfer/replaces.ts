import { dialogKey } from '../../../sip/dialog/index.ts';

/** The dialog that a Replaces field names (RFC 3891 6.1), seen from us. */
export interface Replaced {
  /** Key of our dialog. */
  readonly key: string;
  /** Only as long as no party has answered. */
  readonly earlyOnly: boolean;
}

/** `callid;to-tag=ours;from-tag=theirs;early-only`; undefined: it does not name a dialog. */
export function readReplaces(field: string): Replaced | undefined {
  const [callId = '', ...parameters] = field.split(';').map((part) => part.trim());
  const valuesOf = (name: string): string[] =>
    parameters
      .filter((each) => each.toLowerCase().startsWith(`${name}=`))
      .map((each) => each.slice(name.length + 1));
  const [ours, ...more] = valuesOf('to-tag');
  const [theirs, ...others] = valuesOf('from-tag');
  if (callId === '' || ours === undefined || theirs === undefined || more.length + others.length > 0)
    return undefined;
  const earlyOnly = parameters.some((each) => each.toLowerCase() === 'early-only');
  return { key: dialogKey(callId, ours, theirs), earlyOnly };
}
