import {
  namedContent,
  namedRoot,
  OFF_PROFILES,
  type ProfileContent,
  type ProfileRoot,
  profileRoot,
} from '#shared/contract/profile/index.ts';
import type { ProtocolProfile } from '#shared/contract/provisioning/index.ts';
import type { KernelPorts } from '../../kernel/port.ts';
import type { TenantModel, TenantPorts } from '../../replica/index.ts';
import { CodeTables } from './code-tables.ts';
import { dc09From, lacsFrom, nowIpFrom, scaipFrom } from './message-profile.ts';
import {
  bs8521From,
  contactIdFrom,
  cpcFrom,
  type Probing,
  p100From,
  probingFrom,
  rb2000From,
  ttFrom,
  twonFrom,
} from './tone-profile.ts';

/**
 * How protocols are spoken here: the built-in profile, on it the tenant's row of the same name, on it the row that the
 * destination names with everything it extends. A profile is made once for each state of the configuration; whoever runs
 * an alarm keeps the one it was given.
 *
 *     built-in  <-  row "bs8521" of the tenant  <-  … what it extends  <-  bridge.protocolProfile
 */
export class ProfileTables {
  readonly #tenant: () => TenantModel;
  readonly #log: KernelPorts['log'];
  #rows: readonly ProtocolProfile[] | undefined;
  readonly #made = new Map<string, unknown>();
  readonly codes: CodeTables;

  constructor({ tenant, log }: Pick<TenantPorts, 'tenant'> & Pick<KernelPorts, 'log'>) {
    this.codes = new CodeTables({ tenant, log });
    this.#tenant = tenant;
    this.#log = log;
  }

  /** Whether the protocol is spoken at all. */
  isOn(root: Exclude<ProfileRoot, 'multiprotocol'>, named: string | undefined): boolean {
    return this.#content(root, named)?.enabled ?? !OFF_PROFILES.includes(root);
  }

  readonly bs8521 = (named?: string) => this.#profile('bs8521', named, bs8521From);
  readonly tt92 = (named?: string) => this.#profile('tt92', named, (content) => ttFrom('tt92', content));
  readonly ttnew = (named?: string) => this.#profile('ttnew', named, (content) => ttFrom('ttnew', content));
  readonly p100 = (named?: string) => this.#profile('p100', named, p100From);
  readonly cpc = (named?: string) => this.#profile('cpc-antenna', named, cpcFrom);
  readonly contactId = (named?: string) => this.#profile('contactId', named, contactIdFrom);
  readonly rb2000 = (named?: string) => this.#profile('rb2000', named, rb2000From);
  readonly twon = (named?: string) => this.#profile('twon-text', named, twonFrom);
  readonly probing = (named?: string) =>
    this.#profile('multiprotocol', named, (content) => probingFrom(content as Partial<Probing>));
  readonly scaip = (named?: string) => this.#profile('scaip', named, scaipFrom);
  readonly nowip = (named?: string) => this.#profile('nowip', named, nowIpFrom);
  readonly nowIpController = (named?: string) => this.#profile('nowipcontroller', named, nowIpFrom);
  readonly lacs = (named?: string) => this.#profile('lacs', named, lacsFrom);
  readonly dc09 = (named?: string) => this.#profile('dc09', named, dc09From);
  readonly dc07 = (named?: string) => this.#profile('dc07', named, dc09From);

  /** The built-in profile that a name leads to; undefined: none, or one without a schema. */
  rootOf(named: string | undefined): ProfileRoot | undefined {
    if (named === undefined) return undefined;
    return this.#once(`root ${named}`, () => namedRoot(named, this.#rowOf));
  }

  /**
   * Word of a destination for a device type that the receive list does not have: of the profile that its alarm was read by, else
   * of the one that the bridge names, which may be of another protocol. Undefined: none.
   */
  unknownDeviceType(protocol: string, named: string | undefined): string | undefined {
    const read = ['tone', 'xml', 'ip'].flatMap((kind) => profileRoot(kind, protocol) ?? []);
    const own = this.rootOf(named);
    for (const root of new Set([...read, ...(own === undefined ? [] : [own])])) {
      const wanted = this.#content(root, named)?.unknownDeviceType;
      if (wanted !== undefined) return wanted;
    }
    return undefined;
  }

  /** Time between two requests that a profile sets; undefined: none does. */
  ownRequestInterval(named?: string): number | undefined {
    return this.#content('bs8521', named)?.trigger?.repeatEveryMs;
  }

  #profile<Root extends ProfileRoot, Profile>(
    root: Root,
    named: string | undefined,
    make: (content: ProfileContent<Root> | undefined) => Profile,
  ): Profile {
    return this.#once(`profile ${root} ${named ?? ''}`, () => make(this.#content(root, named)));
  }

  #content<Root extends ProfileRoot>(
    root: Root,
    named: string | undefined,
  ): ProfileContent<Root> | undefined {
    return this.#once(`content ${root} ${named ?? ''}`, () =>
      namedContent(root, named, this.#rowOf, ({ name }) =>
        this.#log(
          'error',
          'protocol_profile.content_ignored',
          'Ignored a protocol profile: its content did not fit its schema',
          { name },
        ),
      ),
    );
  }

  readonly #rowOf = (name: string) => this.#tenant().protocolProfile(name);

  #once<Value>(key: string, make: () => Value): Value {
    const { protocolProfiles } = this.#tenant();
    if (this.#rows !== protocolProfiles) {
      this.#rows = protocolProfiles;
      this.#made.clear();
    }
    if (!this.#made.has(key)) this.#made.set(key, make());
    return this.#made.get(key) as Value;
  }
}
