import type { SiteKey, VerifyKey } from '#shared/contract/site/index.ts';
import type { RandomBytes } from '#shared/id.ts';
import type { Result } from '#shared/result.ts';
import type { HostStatusRow, Reader, Store, Tx } from '../../store/index.ts';

/** The certificate authority as sites need it (`cloud/io/authority`). */
export interface AuthorityPort {
  /** PEM of the roots. */
  readonly ca: string;
  /** SPKI PEM of a request's key; fails with `invalid`. */
  readonly requestKey: (csr: string) => Promise<Result<string>>;
  /** As people see it (`fingerprintText`), of a public key in PEM. */
  readonly fingerprint: (publicKeyPem: string) => string;
  readonly issueHost: (
    csr: string,
    host: { readonly tenant: string; readonly siteId: string; readonly uid: string },
    nowMs: number,
  ) => Promise<Result<IssuedCertificate>>;
  /** A certificate of ours, expired or not; fails with `forbidden`. */
  readonly readHost: (
    pem: string,
  ) => Promise<Result<{ readonly uid: string; readonly serial: string; readonly publicKey: string }>>;
}

export interface IssuedCertificate {
  readonly certificate: string;
  readonly serial: string;
  readonly expiresAt: number;
}

/** Where enrolled hosts find what they need. */
export interface HostReach {
  /** `{base_url}`. */
  readonly publicUrl: string;
  readonly edgeUrl: string;
  readonly brokerUrl: string;
  /** Where hosts learn of several brokers, or of other addresses than at their enrolment. */
  readonly brokerUrls?: readonly string[];
  /** The broker takes a token instead of a client certificate (plain loopback). */
  readonly plainJwt: boolean;
}

/** The status fields of a host that speaks. */
export type ReportingHost = Pick<
  HostStatusRow,
  'facts' | 'lastSeen' | 'revTenant' | 'revSite' | 'revHost' | 'revPlatform'
> & {
  /** Losses of contact since it was last calm, and those that were not reported, for it is unstable. */
  readonly contact?: { readonly unstable: boolean; readonly losses: number; readonly suppressed: number };
};

/** Whom an alarm of supervision is about. */
export interface AlarmSubject {
  readonly tenant: string;
  readonly siteId: string;
  readonly uid: string;
  readonly hostId: string;
}

/** The table of alarms (`cloud/monitoring`): one per host, error and service; raising twice does nothing. */
export interface AlarmPort {
  readonly raise: (
    tx: Tx,
    subject: AlarmSubject,
    alarm: {
      readonly error: 'drainBlocked' | 'duplicateIdentity' | 'serviceStartFailed' | 'certificateExpiring';
      readonly service: string;
      readonly severity: 'info' | 'warning' | 'major' | 'critical';
      readonly message: string;
      readonly details?: Readonly<Record<string, unknown>>;
    },
  ) => Promise<void>;
  readonly clear: (tx: Tx, subject: AlarmSubject, error: string, service: string) => Promise<void>;
  /** Everything that stands about a host that is no more. */
  readonly clearAll: (tx: Tx, subject: AlarmSubject) => Promise<void>;
}

/** The dependencies of the lifecycle of hosts. */
export interface LifecyclePort {
  readonly store: Store;
  readonly random: RandomBytes;
  readonly sha256: (text: string) => string;
  readonly alarms: AlarmPort;
  /** After the commit: something that the twin of this host shows has changed, or it must go. */
  readonly onHostChanged: (uid: string) => void;
}

export interface SitePort extends LifecyclePort {
  /** Keyed hash, known to this process only: what it made, it knows again. */
  readonly mac: (text: string) => string;
  /** ES256 signature (base64url, r and s) over the UTF-8 text by the key (SPKI PEM). */
  readonly isSignedBy: (publicKey: string, text: string, signature: string) => boolean;
  readonly vault: {
    readonly seal: (secret: string, place: string) => string;
    readonly open: (sealed: string, place: string) => string;
  };
  readonly createSiteKey: () => SiteKey;
  readonly authority: AuthorityPort;
  /** Keys by which twins and manifests are verified. */
  readonly verifyKeys: readonly VerifyKey[];
  /** Compact JWS by the first of them. */
  readonly sign: (typ: string, payload: unknown) => Promise<string>;
  readonly reach: () => HostReach;
  /** The last status of a host, ahead of its row, which is written every five minutes; absent: rows only. */
  readonly observed?: (uid: string) => ReportingHost | undefined;
  /** Whether the maker of a claim may still take hosts in; null = made before makers were kept. Asked at every use. */
  readonly mayClaim: (from: Reader, tenant: string, maker: string | null, nowMs: number) => Promise<boolean>;
  /** A machine came without a valid code; called at most once an hour and address. */
  readonly onUnknownHost: (address: string) => void;
}
