import type { BatchClock, Sha256 } from '#shared/contract/feed/index.ts';
import type { ReplicatedPromptFile } from '#shared/contract/runtime/index.ts';
import type { SessionRecord } from '#shared/contract/session-record/index.ts';
import type { Listeners } from '#shared/listeners.ts';
import type { Failure, Result } from '#shared/result.ts';
import type { JournalPorts } from '../../delivery/outbox/index.ts';
import type { KernelPorts } from '../../kernel/port.ts';
import type { AnswerOperation } from '../../operation/index.ts';
import type { FeedSource, OpenKeys, ReplicaStore, VerifySigned } from '../../replica/index.ts';
import type { EnrolOutcome, HostFacts, HostIdentity, OpenBroker } from '../index.ts';
import type { KnownOperations } from '../remote/index.ts';

export type { RemoteAnswer, RemoteOperation } from '../remote-operation.ts';

/** `unreachable`: again later. `promptFile`: these bytes are of no use here; the reason names the file. */
export interface PromptBytes {
  readonly bring: (
    files: readonly ReplicatedPromptFile[],
    feed: FeedSource,
  ) => Promise<Result<null, Failure<'unreachable' | 'promptFile'>>>;
}

/** The store of records as the uplink uses it. */
export interface RecordQueue {
  /** Emits when records were written; absent: the uplink looks by itself. */
  readonly written?: Pick<Listeners<[]>, 'add'>;
  /** Records that the control plane does not have, in the order of their numbers. */
  unsent(
    afterSeq: number,
    limit: number,
  ): readonly { readonly seq: number; readonly record: SessionRecord }[];
  /** The number up to which the control plane has everything. */
  acked(): number;
  sent(upTo: number): Promise<void>;
}

/** Records of sessions, and how they leave the site. */
export interface SessionRecordPorts {
  readonly queue: RecordQueue;
  /** The record with the numbers as the tenant lets them leave the site. */
  readonly leaves: (record: SessionRecord) => SessionRecord;
  readonly isCallRunning: () => boolean;
}

/** The ports that the site agent needs from its adapters. */
export interface SitePorts extends Pick<KernelPorts, 'clock' | 'random' | 'log' | 'run'> {
  /** Fires once unless the function it returns is called before; the process does not stay alive for it. */
  readonly startTimer: (delayMs: number, fire: () => void) => () => void;
  /** Lets everything else that is due go first. */
  readonly pause: () => Promise<void>;
  readonly sha256Hex: Sha256;
  readonly journal: Pick<JournalPorts['journal'], 'boot' | 'pending' | 'acknowledge'>;
  /** Emits when the journal has written something; absent: whoever waits for rows looks by itself. */
  readonly written?: Pick<Listeners<[]>, 'add'>;
  /** Whether the wall clock has a source, and when it was first right in each boot; absent: unknown. */
  readonly records?: () => Pick<BatchClock, 'from' | 'sync' | 'pairs'>;
  /** Records of sessions and how they leave the site; absent: this host keeps none. */
  readonly sessionRecords?: SessionRecordPorts;
  readonly store: ReplicaStore;
  /** From an earlier enrolment. */
  readonly identity: HostIdentity | undefined;
  /** One attempt; absent without a claim code. */
  readonly enrol: (() => Promise<EnrolOutcome>) | undefined;
  readonly feed: (identity: HostIdentity) => FeedSource;
  /** Bytes of prompt files, here before the rows that name them are in force; absent: this host plays none. */
  readonly promptBytes?: PromptBytes;
  readonly verify: (identity: HostIdentity) => VerifySigned;
  /** Opens the keys that were sealed for this machine, and secrets by them. */
  readonly keys: OpenKeys;
  readonly openBroker: OpenBroker;
  /** For the plain listener on loopback. */
  readonly brokerPassword: (identity: HostIdentity, nowMs: number) => string;
  readonly facts: () => HostFacts;
  /** Operations that came to the cloud: judged and done as at the site's own listener. */
  readonly operate: AnswerOperation;
  /** Further requests of the cloud, by operation. */
  readonly remote?: KnownOperations;
  /** Names of the engines that are not well; asked before and after a change. Nothing in it may need the WAN. */
  readonly health: () => Promise<readonly string[]>;
}

/** A number in [0, 1). */
export const fraction = (ports: Pick<SitePorts, 'random'>): number =>
  Buffer.from(ports.random(4)).readUInt32BE() / 2 ** 32;

/** One timer that the next start replaces. */
export class Timer {
  readonly #ports: Pick<SitePorts, 'startTimer'>;
  #cancel: (() => void) | undefined;

  constructor(ports: Pick<SitePorts, 'startTimer'>) {
    this.#ports = ports;
  }

  start(delayMs: number, fire: () => void): void {
    this.stop();
    this.#cancel = this.#ports.startTimer(delayMs, () => {
      this.#cancel = undefined;
      fire();
    });
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }
}
