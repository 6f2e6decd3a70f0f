import type { Result } from '#shared/result.ts';
import type { Sources } from '#shared/setting/index.ts';
import type {
  FrontCertificate,
  OpenRehearsal,
  RehearsalResult,
  RehearsalRun,
  TlsFront,
} from '../appliance/rehearsal/index.ts';
import type {
  ArcOptions,
  Dc09Outcome,
  Dc09Run,
  LacsRun,
  MessageOutcome,
  NowIpRun,
  OpenPhone,
  OpenRecordingClient,
  ReceiveRun,
  RecordingClientRun,
  RecordingServerRun,
  Arc as RunningArc,
  RunningReceiver,
  RunningRecordingServer,
  ScaipOutcome,
  ScaipRun,
  SipRun,
  SwarmRun,
  SwarmState,
  ToneOutcome,
  ToneRun,
} from '../appliance/simulator/index.ts';
import type { TechnicianPrograms } from './technician-program.ts';

export type { ArcOptions, ArcRequest } from '../appliance/simulator/index.ts';
export type {
  Dc09Run,
  LacsRun,
  MessageOutcome,
  NowIpRun,
  ReceiveRun,
  RehearsalResult,
  RehearsalRun,
  RunningArc,
  ScaipRun,
  SipRun,
  SwarmRun,
  ToneRun,
};

/** A daemon that answers: what it says of itself in its `ready` line, and how to end it. */
export interface Running {
  readonly ready: Readonly<Record<string, unknown>>;
  /** The link of the cloud, once, by which the owner of the platform signs in. Shown to the person, kept nowhere. */
  readonly setupLink?: string;
  /** For a daemon: its parts that do not answer now. */
  readonly faults?: () => Promise<readonly string[]>;
  /** For an appliance: resolves when it has wiped itself and is no host any more. */
  readonly removed?: Promise<void>;
  readonly close: () => Promise<void>;
}

/** One line of an alarm's way, as the appliance wrote it. */
export interface TraceLine {
  readonly atMs: number;
  readonly kind: string;
  readonly detail: Readonly<Record<string, unknown>>;
}

export interface RunningAppliance extends Running {
  /** Resolves when the tenant's configuration is in force; rejects with one sentence after `withinMs`. */
  readonly configured: (withinMs: number) => Promise<void>;
  readonly trace: (traceId: string) => Promise<readonly TraceLine[]>;
}

/** A digit or tone that a detector found in a file; `frequency` in Hz, levels in dBm0, `channel` from 1 when there are several. */
export type ToneLine = ({ readonly digit: string } | { readonly frequency: number }) & {
  readonly startMs: number;
  readonly durationMs: number;
  readonly levelDbm0: number;
  readonly channel?: number;
};

export interface TableCount {
  readonly table: string;
  readonly rows: number;
}

/** Operations on the control plane's database while no control plane runs. */
export interface DatabaseCommands {
  readonly migrate: (sources: Sources, onHeld?: () => void) => Promise<Result<string[]>>;
  readonly check: (sources: Sources) => Promise<
    Result<{
      readonly tables: readonly (TableCount & { readonly hash: string })[];
      readonly faults: readonly string[];
    }>
  >;
  readonly copy: (sources: Sources, target: string) => Promise<Result<TableCount[]>>;
  readonly markRestored: (
    sources: Sources,
  ) => Promise<Result<{ readonly scopes: number; readonly hosts: number; readonly newestAt: number | null }>>;
  readonly rotateSigning: (
    sources: Sources,
  ) => Promise<Result<{ readonly before: string; readonly after: string }>>;
  readonly rotateKey: (sources: Sources) => Promise<
    Result<{
      readonly before: string;
      readonly after: string;
      readonly rows: number;
      /** The new key, where a person must take it to the place that the old one came from. */
      readonly handOver: string | undefined;
    }>
  >;
}

/** The facts of a backup that a person reads. Times in epoch ms. */
export interface BackupSummary {
  readonly madeAt: number;
  readonly owner: string;
  readonly expiresAt: number;
  readonly vaultKey: string;
  readonly holdsVaultKey: boolean;
}

export interface BackupProgress {
  readonly table: string | undefined;
  readonly rows: number;
  readonly files: number;
}

interface BackupOpening {
  readonly identities: readonly string[];
  readonly passphrase?: string | undefined;
}

/** Copies of a whole control plane, encrypted in the format age. */
export interface BackupCommands {
  readonly write: (
    sources: Sources,
    request: {
      readonly file: string;
      readonly to: { readonly recipients: readonly string[]; readonly passphrase?: string | undefined };
      readonly owner: string;
      readonly keepDays: number;
      readonly onProgress: (progress: BackupProgress) => void;
    },
  ) => Promise<
    Result<{
      readonly manifest: BackupSummary;
      readonly rows: number;
      readonly files: number;
      readonly missing: readonly string[];
      readonly size: number;
    }>
  >;
  readonly verify: (
    file: string,
    by: BackupOpening,
  ) => Promise<
    Result<{
      readonly manifest: BackupSummary;
      readonly end: {
        readonly tables: Readonly<Record<string, { readonly rows: number }>>;
        readonly files: number;
        readonly missing: readonly string[];
      };
    }>
  >;
  readonly restore: (
    sources: Sources,
    request: {
      readonly file: string;
      readonly by: BackupOpening;
      readonly expired: boolean;
      readonly onProgress: (progress: BackupProgress) => void;
    },
  ) => Promise<
    Result<{
      readonly manifest: BackupSummary;
      readonly rows: number;
      readonly files: number;
      readonly missing: readonly string[];
      readonly marked: { readonly scopes: number; readonly hosts: number };
    }>
  >;
}

/** An entry of the audit log by number and hash. */
export interface ChainPlace {
  readonly seq: number;
  readonly hash: string;
}

/** The formats that `carillon explain` takes apart; `tone` is whichever protocol of tones fits. */
export const EXPLAINED = [
  ...(['scaip', 'nowip', 'nowipcontroller', 'lacs', 'dc09', 'tone', 'rb2000'] as const),
  ...(['bs8521', 'tt92', 'ttnew', 'contactId', 'p100', 'cpc-antenna', 'twon-text'] as const),
] as const;
export type ExplainedKind = (typeof EXPLAINED)[number];

/** A frame taken apart (`carillon explain`). */
export interface ExplainedFrame {
  readonly protocol: string;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly check: Readonly<Record<string, unknown>>;
  readonly alarmEvent: object | null;
  readonly alarmEvents?: readonly object[];
  readonly warnings: readonly string[];
}

export interface AuditRun {
  readonly baseUrl: string;
  readonly token: string;
  /** Undefined = the platform's own log. */
  readonly domain: string | undefined;
  readonly kept: ChainPlace | undefined;
}

export type AuditVerdict =
  | { readonly kind: 'whole'; readonly head: ChainPlace; readonly begin?: ChainPlace }
  | { readonly kind: 'broken'; readonly seq: number; readonly reason: string }
  | { readonly kind: 'refused'; readonly status: number; readonly reason: string }
  | { readonly kind: 'unreachable'; readonly reason: string };

/** The programs behind the command line, loaded on demand: `carillon version` pays for none of them. */
/** One override in force on a host. */
export interface OverrideLine {
  readonly key: string;
  readonly value: unknown;
  readonly author: string;
  readonly reason: string;
  /** Epoch ms; null = until it is cleared. */
  readonly expiresAt: number | null;
  readonly pinned: boolean;
  readonly drift: boolean;
}

export interface OverrideRequest
  extends Pick<OverrideLine, 'key' | 'value' | 'author' | 'reason' | 'pinned'> {
  readonly ttlMs: number | undefined;
}

/** A callback that was given up; `createdAt` in epoch milliseconds. */
export interface DeadLetterLine {
  readonly id: string;
  readonly lane: string;
  readonly type: string;
  readonly dest: string;
  readonly createdAt: number;
  readonly attempts: number;
  readonly lastError: string | null;
}

/** The changes of a person on site next to the running appliance, by its folder of state. */
export interface OnSite {
  readonly overrides: (folder: string) => Result<readonly OverrideLine[]>;
  readonly setOverride: (folder: string, request: OverrideRequest) => Result<OverrideLine>;
  readonly confirmNetwork: (folder: string) => Result<OverrideLine>;
  readonly clearOverride: (folder: string, key: string, by: string) => Result<OverrideLine>;
  readonly applyBundle: (folder: string, file: string) => Result<{ readonly hosts: number }>;
  readonly deadLetters: (folder: string, limit: number) => Result<readonly DeadLetterLine[]>;
  readonly replay: (folder: string, ids: readonly string[] | undefined) => Result<null>;
  /** Whether the running appliance has taken it up. */
  readonly replayTaken: (folder: string) => boolean;
}

/** Rehearsals of applications by the delivery of the appliance. */
export interface Rehearsal {
  readonly situations: readonly { readonly name: string; readonly sent: string }[];
  /** The page of the documentation with every situation. */
  readonly page: () => string;
  readonly open: (run: RehearsalRun) => Promise<OpenRehearsal>;
  /** An address that speaks TLS for an application that speaks plain HTTP. */
  readonly front: (target: URL, certificate: FrontCertificate) => Promise<TlsFront>;
}

/** The words by which a daemon is started. */
export const DAEMONS: ReadonlySet<string | undefined> = new Set(['cloud', 'appliance']);

export interface Programs extends TechnicianPrograms {
  readonly rehearsal: () => Promise<Rehearsal>;
  readonly onSite: () => Promise<OnSite>;
  readonly startCloud: (sources: Sources) => Promise<Result<Running>>;
  readonly startAppliance: (sources: Sources) => Promise<Result<RunningAppliance>>;
  readonly database: () => Promise<DatabaseCommands>;
  readonly backup: () => Promise<BackupCommands>;
  /** Files for a broker that is not ours, by name, and how many certificates they shut out. */
  readonly exportMosquitto: (
    sources: Sources,
    folder: string,
    owner: string,
    eachHost: boolean,
  ) => Promise<Result<{ readonly files: Readonly<Record<string, string>>; readonly revoked: number }>>;
  /** The abilities and faults of a broker that is not ours, a sentence each. */
  readonly checkBroker: (
    sources: Sources,
  ) => Promise<Result<readonly { readonly name: string; readonly ok: boolean; readonly sentence: string }[]>>;
  readonly startArc: (options: ArcOptions) => Promise<RunningArc>;
  /** Rejects when the address cannot be had. */
  readonly openReceiver: (run: ReceiveRun) => Promise<RunningReceiver>;
  readonly simulateScaip: (run: ScaipRun) => Promise<ScaipOutcome>;
  readonly simulateSwarm: (run: SwarmRun) => Promise<SwarmState>;
  readonly simulateDc09: (run: Dc09Run) => Promise<Dc09Outcome>;
  readonly simulateTone: (run: ToneRun) => Promise<ToneOutcome>;
  readonly simulateNowIp: (run: NowIpRun) => Promise<MessageOutcome>;
  readonly simulateLacs: (run: LacsRun) => Promise<MessageOutcome>;
  /** Rejects when the telephone is refused. */
  readonly openRecordingClient: (run: RecordingClientRun) => Promise<OpenRecordingClient>;
  readonly openRecordingServer: (run: RecordingServerRun) => Promise<RunningRecordingServer>;
  readonly openPhone: (run: SipRun) => Promise<OpenPhone>;
  readonly verifyAudit: (run: AuditRun) => Promise<AuditVerdict>;
  readonly explain: (
    kind: ExplainedKind,
    content: Uint8Array,
    options: { readonly key?: Uint8Array; readonly protocol?: string; readonly profile?: unknown },
  ) => Promise<Result<ExplainedFrame>>;
  readonly hearTones: (wav: Uint8Array, profile: 'alarm' | 'ivr') => Promise<Result<readonly ToneLine[]>>;
}
