import { PERSON_TYP } from '#shared/contract/access/index.ts';
import type { VerifyKey } from '#shared/contract/site/index.ts';
import type { ApplianceConfig } from '../config.ts';
import { signedReader } from '../io/edge/index.ts';
import { type SiteKeys, siteKeys } from '../io/site-listener/index.ts';
import type { PersonPorts } from '../operation/index.ts';
import type { Place } from '../replica/index.ts';
import { believedKeys, type HostIdentity } from '../site/index.ts';

/** Term of a site with one host; take-overs between hosts raise it. */
export const FIRST_EPOCH = 1;

interface Standing extends SiteKeys {
  readonly place: Place;
  readonly person: Pick<PersonPorts, 'uid' | 'open'>;
}

/** The standing of this host, which another identity replaces. */
export interface HostStanding {
  readonly now: Standing;
  readonly becomes: (identity: HostIdentity | undefined) => void;
}

export function openStanding(
  config: ApplianceConfig,
  identity: HostIdentity | undefined,
  verifyKeys: Parameters<typeof siteKeys>[1],
): HostStanding {
  let now = standingOf(config, identity, verifyKeys);
  return {
    get now() {
      return now;
    },
    becomes: (next) => {
      now = standingOf(config, next, verifyKeys);
    },
  };
}

/** The place of this host as callbacks show it, and the key that signs its reply ids. */
function standingOf(
  config: ApplianceConfig,
  identity: HostIdentity | undefined,
  verifyKeys: Parameters<typeof siteKeys>[1],
): Standing {
  const believed = (): readonly VerifyKey[] => believedKeys(verifyKeys?.(), identity);
  const open = signedReader(believed);
  return {
    ...siteKeys(identity, believed),
    person: { uid: identity?.uid, open: (compact) => open(compact, PERSON_TYP) },
    place: {
      siteId: identity?.siteId ?? config.siteId ?? '',
      hostId: identity?.hostId ?? config.hostId,
      siteBaseUrl: config.siteBaseUrl,
      address: config.address,
      epoch: FIRST_EPOCH,
    },
  };
}
