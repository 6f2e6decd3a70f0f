import type { HostNote, Twin } from '#shared/contract/feed/index.ts';
import type { ClaimFile, VerifyKey } from '#shared/contract/site/index.ts';
import type { Failure, Result } from '#shared/result.ts';
import type { SelfTestPoint, SelfTestRecord } from '#shared/self-test/index.ts';

/** With `all` where it is at several addresses. */
interface TestedListener {
  readonly host: string;
  readonly port: number;
  readonly all?: readonly { readonly host: string; readonly port: number }[];
}

export interface SelfTestRun {
  readonly folder: string;
  readonly release: string;
  readonly hostId: string;
  readonly cloud: string | undefined;
  readonly sip: TestedListener | undefined;
  readonly tcp: readonly TestedListener[];
  readonly timeServer?: string | undefined;
  readonly sipPeer?: { readonly host: string; readonly port: number } | undefined;
  /** HTTPS listener of the service. */
  readonly listener?: { readonly host: string; readonly port: number } | undefined;
  readonly local?: boolean | undefined;
  readonly onPoint?: (point: SelfTestPoint) => void;
}

export interface EnrolRun {
  readonly folder: string;
  readonly cloud: string;
  readonly claimCode: string;
  readonly hostId: string;
  readonly names: readonly string[];
  readonly version: string;
  readonly siteBaseUrl: string;
  readonly trustPem: string | undefined;
  /** The key and the site of a claim file. */
  readonly expected?: { readonly kid: string; readonly siteId: string } | undefined;
}

export type EnrolOutcome =
  | { readonly kind: 'enrolled'; readonly identity: HostOfSite }
  | {
      readonly kind: 'waiting';
      readonly siteId: string;
      readonly hostId: string;
      readonly retryAfterS: number;
    }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'unreachable'; readonly reason: string };

/** The identity of a host after its enrolment. */
export interface HostOfSite {
  readonly uid: string;
  readonly domain: string;
  readonly siteId: string;
  readonly hostId: string;
  readonly edgeUrl: string;
  readonly expiresAtMs: number;
  /** The keys that the control plane signs with. */
  readonly verifyKeys: readonly VerifyKey[];
}

/** The requests that root follows: those for this host, by these keys, and none older than what it has seen. */
export interface PlatformTrust {
  readonly uid: string;
  readonly verifyKeys: readonly VerifyKey[];
  readonly twinRev: number;
}

/** The appliance's parts that a technician's commands use while the service runs or does not. */
export interface TechnicianPrograms {
  readonly selfTest: (run: SelfTestRun) => Promise<SelfTestRecord>;
  /** The result of an OPTIONS on its way to this SIP server; `alg.silent`: it does not answer. */
  readonly sipGateway: (
    host: string,
    port: number,
  ) => Promise<Pick<SelfTestPoint, 'verdict' | 'found' | 'code'>>;
  /** One attempt; never rejects for the network. */
  readonly enrolHost: (run: EnrolRun) => Promise<EnrolOutcome>;
  /** A claim file, its signature checked; `over`: `reason` is when it ended (ISO 8601). */
  readonly readClaimFile: (
    text: string,
    nowMs: number,
  ) => Promise<Result<ClaimFile, Failure<'damaged' | 'altered' | 'over'>>>;
  /** Undefined before enrolment. Throws when its files are damaged. */
  readonly hostOfSite: (folder: string) => Promise<HostOfSite | undefined>;
  /** The fingerprint of the key of this machine, as the console shows it; undefined before it has one. */
  readonly keyFingerprint: (folder: string) => Promise<string | undefined>;
  /** The keys that the control plane signs with by the newest configuration; else by the enrolment. */
  readonly signersOf: (host: HostOfSite, folder: string) => Promise<readonly VerifyKey[]>;
  /**
   * A twin, judged as the appliance judges one, and whom to follow after it: `chain` leads from the keys that are trusted to
   * those that followed them.
   */
  readonly readTwin: (
    compact: string,
    trust: PlatformTrust,
    chain: readonly string[],
  ) => Promise<Result<{ readonly twin: Twin; readonly trust: PlatformTrust }>>;
  /** Reports an act here to the control plane; never rejects for the network. `notEnrolled`: the machine has no control plane. */
  readonly tellCloud: (
    folder: string,
    note: HostNote,
  ) => Promise<Result<null, Failure<'notEnrolled' | 'unreachable'>>>;
  /** Copies each database of the folder whole, also while it is in use; the names of the copies. */
  readonly copyDatabases: (folder: string, into: string) => Promise<readonly string[]>;
  /** Rows of each table of each database of the folder. */
  readonly countRows: (folder: string) => Promise<Readonly<Record<string, Readonly<Record<string, number>>>>>;
}
