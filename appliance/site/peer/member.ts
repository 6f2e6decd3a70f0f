import { type MemberRow, memberSchema } from '#shared/contract/peer/index.ts';

/** A host of this site and where its link is. */
export interface Member extends Pick<MemberRow, 'uid' | 'hostId' | 'publicKey' | 'order'> {
  /** `host:port` of the link between hosts. */
  readonly address: string;
  /** Further ones, as of the other family, for when it is not reached there. */
  readonly more?: readonly string[];
}

/** Chosen: every host listens for its peers on this port, unless a setting says where they are. */
const PEER_PORT = 8446;

/**
 * Members from the rows of scope `site` (JSON texts), in their order. The address is the host of `siteBaseUrl`, of whichever family
 * it is, unless `known` (by hostId, `host:port`) names others; a member without any address is not spoken to.
 */
export function readMembers(
  bodies: readonly string[],
  known: Readonly<Record<string, readonly string[]>>,
): readonly Member[] {
  return bodies
    .flatMap((body): Member[] => {
      const read = memberSchema.safeParse(parsed(body)).data;
      const [address, ...more] = (read && known[read.hostId]) ?? [addressOf(read?.siteBaseUrl)];
      if (read === undefined || address === undefined) return [];
      const { uid, hostId, publicKey, order } = read;
      const others = more.filter((each) => each !== undefined);
      return [{ uid, hostId, publicKey, order, address, ...(others.length > 0 && { more: others }) }];
    })
    .sort((a, b) => a.order - b.order || (a.uid < b.uid ? -1 : 1));
}

/** The others in the order in which they are asked to hold our rows: from the one behind us on, and round. */
export function othersAfter(members: readonly Member[], self: string): readonly Member[] {
  const at = members.findIndex(({ uid }) => uid === self);
  return at < 0 ? [] : [...members.slice(at + 1), ...members.slice(0, at)];
}

function addressOf(siteBaseUrl: string | undefined): string | undefined {
  if (siteBaseUrl === undefined || !URL.canParse(siteBaseUrl)) return undefined;
  return `${new URL(siteBaseUrl).hostname}:${PEER_PORT}`;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
