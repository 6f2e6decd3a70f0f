import type { DeviceCommand } from '#shared/alarm-event/index.ts';
import type { Result } from '#shared/result.ts';
import type { Sources } from '#shared/setting/index.ts';
import type { TechnicianPrograms } from './technician-program.ts';

/** A daemon that answers: what it says of itself in its `ready` line, and how to end it. */
export interface Running {
  readonly ready: Readonly<Record<string, unknown>>;
  /** Of the cloud, once: by which the owner of the platform comes in. Shown to the person, kept nowhere. */
  readonly setupLink?: string;
  /** Of a daemon: what of it does not answer now. */
  readonly faults?: () => Promise<readonly string[]>;
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

/** One request that the application got, as the demo ARC saw it. */
export interface ArcRequest {
  readonly atMs: number;
  readonly path: string;
  readonly traceId: string;
  readonly verified: boolean;
  readonly repeated: boolean;
  readonly body: Readonly<Record<string, unknown>>;
  readonly answer: Readonly<Record<string, unknown>>;
}

export interface ArcOptions {
  readonly host: string;
  readonly port: number;
  readonly certificate: { readonly cert: string; readonly key: string };
  /** Key that the callbacks must be signed with; `undefined` = any signature is taken and shown as not verified. */
  readonly publicKeyPem: string | undefined;
  readonly onRequest?: (request: ArcRequest) => void;
}

/** A centre that receives alarms on the wire. */
export interface ReceiveRun {
  readonly protocol: 'scaip' | 'bs8521' | 'tt92' | 'ttnew' | 'voicecall' | 'dc09';
  readonly host: string;
  readonly port: number;
  readonly answer: 'acknowledge' | 'hold' | 'busy' | 'refuse' | 'wrong' | 'silent';
  readonly call: string | undefined;
  readonly commands: readonly DeviceCommand[];
  readonly talkMs: number;
  readonly key: string | undefined;
  readonly onStep: (step: { readonly atMs: number; readonly text: string }) => void;
}

export interface RunningArc extends Running {
  /** Resolves with the next request that fits, also one that has come already. */
  readonly received: (fits: (request: ArcRequest) => boolean, withinMs: number) => Promise<ArcRequest>;
}

export interface ScaipRun {
  readonly to: string;
  readonly transport: 'udp' | 'tcp' | 'tls';
  readonly domain: string;
  readonly receiver: string;
  readonly device: string;
  readonly password: string | undefined;
  readonly count: number;
  /** Alarms per second; 0 = one after the other. */
  readonly rate: number;
  readonly deviceType: string;
  readonly statusCode: string;
  readonly trust: string | undefined;
  readonly onStep?: (step: { readonly atMs: number; readonly text: string }) => void;
}

/** What became of the simulated alarms; `acknowledged` counts answers with `snu` 0. */
export interface ScaipOutcome {
  readonly sent: number;
  readonly acknowledged: number;
  readonly answers: readonly Readonly<Record<string, string>>[];
  readonly failures: readonly string[];
}

export interface Dc09Run {
  readonly to: string;
  readonly transport: 'tcp' | 'udp';
  readonly account: string;
  readonly data: string;
  readonly token: 'SIA-DCS' | 'ADM-CID' | 'NULL';
  /** AES key as hex; undefined = plain. */
  readonly key: string | undefined;
  readonly count: number;
  readonly onStep?: (step: { readonly atMs: number; readonly text: string }) => void;
}

export interface Dc09Outcome {
  readonly sent: number;
  readonly acknowledged: number;
  readonly failures: readonly string[];
}

export interface SwarmRun {
  readonly cloud: string;
  readonly token: string;
  readonly domain: string;
  readonly hosts: number;
  readonly sites: number;
  readonly profile: 'high' | 'standard' | 'economy';
  readonly folder: string;
  readonly seconds: number;
  readonly alarms: number;
  readonly faults: number;
  readonly onStep?: (state: SwarmState) => void;
}

export interface SwarmState {
  readonly hosts: number;
  readonly connected: number;
  readonly configured: number;
  readonly said: Readonly<Record<string, number>>;
  readonly waiting: number;
}

export interface ToneRun {
  readonly to: string;
  readonly transport: 'udp' | 'tcp';
  readonly domain: string;
  readonly receiver: string;
  readonly device: string;
  readonly password: string | undefined;
  readonly protocol: 'bs8521' | 'tt92' | 'ttnew' | 'contactId' | 'p100';
  /** Digits of controller and unit. */
  readonly identity: string;
  readonly talkMs: number;
  readonly onStep?: (step: { readonly atMs: number; readonly text: string }) => void;
}

export interface ToneOutcome {
  readonly acknowledged: boolean;
  /** From the last digit of the string to the acknowledge. */
  readonly acknowledgeMs: number | undefined;
  readonly ended: string;
}

export interface SipRun {
  readonly to: string;
  readonly transport: 'udp' | 'tcp';
  readonly domain: string;
  readonly user: string;
  readonly password: string | undefined;
  readonly srtp: 'never' | 'always' | 'alwaysWithTLS' | 'negotiated';
  readonly says: {
    readonly file?: string;
    readonly text?: string;
    readonly lang?: string;
    readonly digits?: string;
  };
  readonly onStep?: (step: { readonly atMs: number; readonly text: string }) => void;
}

export interface SipOutcome {
  readonly answered: boolean;
  readonly heard: string;
  readonly packets: number;
  /** What a broker that is not ours does well and what not, a sentence each. */
  readonly checkBroker: (
    sources: Sources,
  ) => Promise<Result<readonly { readonly name: string; readonly ok: boolean; readonly sentence: string }[]>>;
  readonly ended: string;
}

/** A recording client (SIPREC): the call of two that it copies. */
export interface RecordingClientRun {
  readonly to: string;
  readonly service: string;
  readonly domain: string;
  readonly user: string;
  readonly password: string | undefined;
  readonly onStep?: (step: { readonly atMs: number; readonly text: string }) => void;
}

export interface OpenRecordingClient {
  readonly callId: string;
  readonly hold: (index: number, held: boolean) => Promise<void>;
  readonly join: (name: string, aor: string) => Promise<void>;
  readonly leave: () => Promise<void>;
  readonly end: () => Promise<void>;
  /** Resolves when the session is over. */
  readonly over: Promise<'us' | 'server'>;
}

export interface RecordingServerRun {
  readonly host: string;
  readonly port: number;
  /** Where the files go. */
  readonly folder: string;
  readonly onStep?: (step: { readonly atMs: number; readonly text: string }) => void;
}

export interface RunningRecordingServer {
  readonly port: number;
  readonly files: readonly string[];
  readonly close: () => Promise<void>;
}

/** A telephone that is registered. */
export interface OpenPhone {
  readonly call: (to: string, talkMs: number) => Promise<SipOutcome>;
  readonly answer: (talkMs: number, onOver: (outcome: SipOutcome) => void) => void;
  readonly close: () => Promise<void>;
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

/** What works on the control plane's database while no control plane runs. */
export interface DatabaseCommands {
  readonly migrate: (sources: Sources) => Promise<Result<string[]>>;
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
      /** The new key, where somebody must take it to where the old one came from. */
      readonly handOver: string | undefined;
    }>
  >;
}

/** An entry of the audit log by number and hash. */
export interface ChainPlace {
  readonly seq: number;
  readonly hash: string;
}

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
  | { readonly kind: 'whole'; readonly head: ChainPlace }
  | { readonly kind: 'broken'; readonly seq: number; readonly reason: string }
  | { readonly kind: 'refused'; readonly status: number; readonly reason: string }
  | { readonly kind: 'unreachable'; readonly reason: string };

/** The programs behind the front door, loaded on demand: `carillon version` pays for none of them. */
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

export interface OverrideWish extends Pick<OverrideLine, 'key' | 'value' | 'author' | 'reason' | 'pinned'> {
  readonly ttlMs: number | undefined;
}

/** What a person on site changes beside the running appliance, by its folder of state. */
export interface OnSite {
  readonly overrides: (folder: string) => Result<readonly OverrideLine[]>;
  readonly setOverride: (folder: string, wish: OverrideWish) => Result<OverrideLine>;
  readonly confirmNetwork: (folder: string) => Result<OverrideLine>;
  readonly clearOverride: (folder: string, key: string) => Result<OverrideLine>;
  readonly applyBundle: (folder: string, file: string) => Result<{ readonly hosts: number }>;
}

export interface Programs extends TechnicianPrograms {
  readonly onSite: () => Promise<OnSite>;
  readonly startCloud: (sources: Sources) => Promise<Result<Running>>;
  readonly startAppliance: (sources: Sources) => Promise<Result<RunningAppliance>>;
  readonly database: () => Promise<DatabaseCommands>;
  /** Files for a broker that is not ours, by name, and how many certificates they shut out. */
  readonly exportMosquitto: (
    sources: Sources,
    folder: string,
    owner: string,
  ) => Promise<Result<{ readonly files: Readonly<Record<string, string>>; readonly revoked: number }>>;
  readonly startArc: (options: ArcOptions) => Promise<RunningArc>;
  /** Rejects when the address cannot be had. */
  readonly openReceiver: (run: ReceiveRun) => Promise<Running>;
  readonly simulateScaip: (run: ScaipRun) => Promise<ScaipOutcome>;
  readonly simulateSwarm: (run: SwarmRun) => Promise<SwarmState>;
  readonly simulateDc09: (run: Dc09Run) => Promise<Dc09Outcome>;
  readonly simulateTone: (run: ToneRun) => Promise<ToneOutcome>;
  /** Rejects when the telephone is refused. */
  readonly openRecordingClient: (run: RecordingClientRun) => Promise<OpenRecordingClient>;
  readonly openRecordingServer: (run: RecordingServerRun) => Promise<RunningRecordingServer>;
  readonly openPhone: (run: SipRun) => Promise<OpenPhone>;
  readonly verifyAudit: (run: AuditRun) => Promise<AuditVerdict>;
  readonly explain: (
    kind: 'scaip' | 'dc09' | 'tone',
    content: Uint8Array,
    options: { readonly key?: Uint8Array; readonly protocol?: string },
  ) => Promise<Result<ExplainedFrame>>;
  readonly hearTones: (wav: Uint8Array, profile: 'alarm' | 'ivr') => Promise<Result<readonly ToneLine[]>>;
}
