import { PROTOCOL_HINT } from '../provisioning/index.ts';
import type { ProfileRoot } from './content.ts';
import { namedContent, namedRoot, type ProfileRows } from './layer.ts';

/** No engine of ours reads these: they can be described, and that is all. */
const UNREAD: readonly ProfileRoot[] = ['tt-burst', 'bsiaFastFormat', 'siaFsk'];
/** Nothing, or not enough, is public: the customer has to say it. */
const UNDESCRIBED: readonly ProfileRoot[] = ['rb2000', 'twon-text', 'lacs'];
/** The protocols that an event sender can speak. */
const SENT: readonly ProfileRoot[] = ['scaip', 'nowip', 'bs8521', 'tt92', 'ttnew', 'dc09', 'dc07'];

/** Profiles that are off until a tenant switches them on. DC-07 is on for whoever names it. */
export const OFF_PROFILES: readonly ProfileRoot[] = [...UNDESCRIBED, ...UNREAD, 'dc07'];

const HINT = PROTOCOL_HINT.rb2000;

/** A row that names a profile: a bridge receives by it, a mapper sends by it. */
export interface ProfileUse {
  readonly as: 'receiver' | 'sender';
  /** The protocol that the bridge receives; without meaning for a mapper. */
  readonly protocol?: string | undefined;
  readonly named: string;
}

/**
 * Why a profile would have no effect on the row that names it, so that only an alarm found out: a predicate of the name, and what to
 * do about it. Undefined: it has one, or it is no protocol's (a code table), or there is none of this name.
 *
 * Chosen: a row that switches a protocol off is taken beside another protocol: a number of several ones is then not asked in it.
 */
export function profileUseFault({ as, protocol, named }: ProfileUse, rowOf: ProfileRows): string | undefined {
  const root = namedRoot(named, rowOf);
  if (root === undefined) return undefined;
  if (as === 'sender')
    return SENT.includes(root)
      ? undefined
      : `is a protocol profile of ${root}, and this version does not send that protocol: name a profile of ${SENT.join(', ')}, or none`;
  if (UNREAD.includes(root))
    return `is a protocol profile of ${root}, and this version cannot receive that protocol: name a profile of another protocol, or none`;
  const { enabled: on } = (namedContent(root, named, rowOf) ?? {}) as { readonly enabled?: boolean };
  if (UNDESCRIBED.includes(root) && on !== true)
    return `is a protocol profile of ${root}, and that protocol is off: ${HINT}. Name a profile that extends ${root}, describes the protocol and has enabled true`;
  if (root === protocol && on === false)
    return `switches off ${root}, the protocol of this resource: set enabled true in it, or choose the protocol voicecall`;
  return undefined;
}
