import { type Member, readMembers } from './member.ts';
import type { Revisions } from './shared-address.ts';

type Scope = 'site' | 'host' | 'tenant' | 'platform';

export interface SiteMembersPorts {
  /** Revisions in force, by scope. */
  readonly standings: () => Readonly<Record<Scope, { readonly rev: number }>>;
  /** Rows of hosts in a scope, as JSON texts. */
  readonly hosts: (scope: 'site' | 'host') => readonly string[];
  /** Addresses that settings name, by hostId. */
  readonly known: Readonly<Record<string, readonly string[]>>;
}

/** The hosts of the site as the configuration in force names them, read again when it has another revision. */
export class SiteMembers {
  readonly #ports: SiteMembersPorts;
  #members: readonly Member[] = [];
  #labels: readonly string[] = [];
  #readAtRev = '';

  constructor(ports: SiteMembersPorts) {
    this.#ports = ports;
  }

  /** @returns whether they were read again */
  look(): boolean {
    const { hosts, known, standings } = this.#ports;
    const { site, host } = standings();
    const rev = `${site.rev} ${host.rev}`;
    if (rev === this.#readAtRev) return false;
    this.#readAtRev = rev;
    this.#members = readMembers(hosts('site'), known);
    this.#labels = hosts('host').flatMap(labelsIn);
    return true;
  }

  /** Everybody of the site, this host included. The same array until they are read again. */
  get all(): readonly Member[] {
    return this.#members;
  }

  get hasOthers(): boolean {
    return this.#members.length > 1;
  }

  /** Labels that this host was given, from its own row. */
  get labels(): readonly string[] {
    return this.#labels;
  }

  get revisions(): Revisions {
    const { tenant, site, platform } = this.#ports.standings();
    return { tenant: tenant.rev, site: site.rev, platform: platform.rev };
  }

  hostIdOf(uid: string | undefined): string | undefined {
    return this.#members.find((each) => each.uid === uid)?.hostId;
  }
}

function labelsIn(body: string): readonly string[] {
  const { labels } = JSON.parse(body) as { readonly labels?: unknown };
  return Array.isArray(labels) ? labels.filter((label) => typeof label === 'string') : [];
}
