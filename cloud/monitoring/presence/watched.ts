import type { HostPlace, Profile } from '#shared/contract/feed/index.ts';

/** A host under supervision. */
export interface Watched {
  readonly place: HostPlace;
  readonly hostId: string;
  readonly profile: Profile;
}
