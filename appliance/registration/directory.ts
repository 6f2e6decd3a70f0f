import { readDeviceToken } from '#shared/authorize/index.ts';
import { compilePattern } from '#shared/matching/index.ts';
import type { KernelPorts } from '../kernel/port.ts';
import type { TenantPorts } from '../replica/index.ts';
import type {
  Account,
  Authorized,
  Directory,
  StoredHa1,
  TrunkAccount,
  TrunkClaim,
} from '../sip/auth/index.ts';

/** A compact JWS whose signature was checked by the key its `kid` names; undefined: no key known here signed it. */
export type VerifyToken = (token: string) => { readonly typ: unknown; readonly payload: unknown } | undefined;

export interface DirectoryDependencies {
  readonly trunk: (claim: TrunkClaim) => TrunkAccount | undefined;
  readonly verifyToken: VerifyToken;
}

/** Whom authentication asks: the replica of the tenant. This appliance serves one tenant, whatever host is named. */
export function directory(
  ports: KernelPorts & TenantPorts,
  { trunk, verifyToken }: DirectoryDependencies,
): Directory {
  const rights = new SharedRights();
  return {
    tenant: () => ports.tenant().domain,
    device: (domain, deviceId) => {
      const device = ports.tenant().byId(deviceId);
      return device === undefined ? undefined : account(domain, device, rights);
    },
    trunk: (_domain, claim) => trunk(claim),
    bearer: (token) => {
      const { domain } = ports.tenant();
      const claims = readDeviceToken(verifyToken(token), domain, ports.clock.wallMs());
      if (!claims.ok) return undefined;
      return { domain, deviceId: claims.value.sub, authorized: rights.of(claims.value.authorized) };
    },
  };
}

type ReplicatedDevice = NonNullable<ReturnType<ReturnType<TenantPorts['tenant']>['byId']>>;

function account(domain: string, device: ReplicatedDevice, rights: SharedRights): Account {
  const { deviceId, authType, digest, digestAlgorithm } = device;
  if (authType === 'deviceid' || authType === 'disabled') return { domain, deviceId, authType };
  if (authType === 'userid') {
    return { domain, deviceId, authType, authorized: rights.of(device.authorized ?? NOTHING) };
  }
  return { domain, deviceId, authType, ha1: storedHa1(digest ?? {}), digestAlgorithm };
}

/** The stored hashes of a password, under the names of the digest algorithms. */
export const storedHa1 = ({ sha256, md5 }: NonNullable<ReplicatedDevice['digest']>): StoredHa1 => ({
  'SHA-256': sha256,
  MD5: md5,
});

interface GivenRights {
  readonly domain?: string | undefined;
  readonly invite?: string | undefined;
  readonly register?: boolean | undefined;
}

/** A right that is not given is refused. */
const NOTHING: GivenRights = {};
const MOST_PATTERNS = 1_000;

/** Patterns of `authorized.invite`, compiled once: they come with every request of a phone. */
class SharedRights {
  readonly #patterns = new Map<string, (destination: string) => boolean>();

  of({ domain, invite, register }: GivenRights): Authorized {
    return {
      invite: invite === undefined ? () => false : this.#pattern(invite),
      register: register === true,
      domain,
    };
  }

  #pattern(source: string): (destination: string) => boolean {
    const known = this.#patterns.get(source);
    if (known !== undefined) return known;
    const compiled = compilePattern(source);
    const test = compiled.ok ? (text: string) => compiled.value.test(text) : () => false;
    if (this.#patterns.size >= MOST_PATTERNS) this.#patterns.clear();
    this.#patterns.set(source, test);
    return test;
  }
}
