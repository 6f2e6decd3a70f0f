import type { Listeners } from '#shared/listeners.ts';
import type { Failure, Result } from '#shared/result.ts';
import {
  nextSequence,
  type Outgoing,
  type Sealing,
  type SendEffect,
  type SendInput,
  type Sending,
  type SendSetting,
  sending,
  stepSending,
} from '../../protocol/dc09/index.ts';
import type { Frame } from '../../protocol/framed-ip/index.ts';

/** Where frames go. */
export interface FrameDestination {
  readonly host: string;
  readonly port: number;
  readonly transport: 'tcp' | 'udp';
}

/** Carries frames to receivers; one connection for a destination, kept open. */
export interface FrameCaller {
  /** Resolves when the frame has left; `Unreachable`: there is no way there now. */
  readonly send: (
    to: FrameDestination,
    frame: Uint8Array,
  ) => Promise<Result<undefined, Failure<'Unreachable'>>>;
  /** A frame with a right CRC from a destination. */
  readonly frames: Listeners<[from: FrameDestination, frame: Frame]>;
}

export type FrameOutcome =
  | { readonly kind: 'done' }
  | {
      readonly kind: 'failed';
      readonly warning: 'noAnswer' | 'rejected' | 'protocolError' | 'noRoute';
      readonly reason: string;
    };

/**
 * Makes every try of a frame the same bytes, also in a later run: the receiver takes an equal frame for a repeat, and
 * any other frame for another event (ANSI/SIA DC-09 5.5.1.5: a retransmission keeps its sequence number).
 */
export interface FrameIdentity {
  /** Time of the event, epoch ms. */
  readonly atMs: number;
  /** The time that an encrypted frame has shown instead: the receiver's clock differs. */
  readonly shownMs?: number;
  /** 16 bytes in front of encrypted text. */
  readonly padding: Uint8Array;
  /** The frame is about to show this time; it goes out when that is resolved. */
  readonly keep: (timeMs: number) => Promise<unknown>;
}

interface Job {
  readonly outgoing: Outgoing;
  /** Undefined: this frame is never repeated later. */
  readonly identity: FrameIdentity | undefined;
  readonly done: (outcome: FrameOutcome) => void;
  /** Waits and tries; undefined: as built in. */
  readonly setting: SendSetting | undefined;
}

export interface FrameLinePorts {
  readonly caller: FrameCaller;
  readonly sealing: Sealing;
  readonly wallMs: () => number;
  readonly turn: (work: () => void) => void;
  readonly run: (work: Promise<unknown>) => void;
  readonly start: (key: string, ms: number) => void;
  readonly stop: (key: string) => void;
}

/** The frame that waits for its answer. */
interface Current {
  readonly job: Job;
  readonly atMs: number;
  readonly sealing: Sealing;
  machine: Sending;
}

interface Line {
  readonly to: FrameDestination;
  readonly waiting: Job[];
  current: Current | undefined;
}

/** Longest padding of an encrypted frame (DC-09 5.4.6.3). */
const PADDING_BYTES = 16;

/** Frames to a receiver, one outstanding at a time (DC-09 5.5.1.6), the next when the one before has its answer. */
export class FrameLines {
  readonly #ports: FrameLinePorts;
  readonly #lines = new Map<string, Line>();
  /**
   * The receivers' clocks against ours, as their NAKs showed. Only provisioned destinations have one, so there are few.
   */
  readonly #offsets = new Map<string, number>();
  #sequence: string;

  constructor(ports: FrameLinePorts) {
    this.#ports = ports;
    const [a = 0, b = 0] = ports.sealing.random(2);
    this.#sequence = String((a * 256 + b) % 10_000).padStart(4, '0');
    ports.caller.frames.add((from, frame) => ports.turn(() => this.#received(from, frame)));
  }

  /** Four digits, each number once in 9,999. */
  nextSequence(): string {
    this.#sequence = nextSequence(this.#sequence);
    return this.#sequence;
  }

  /** `done` is called once. The returned function gives the frame up, unless `done` was called before. */
  send(
    to: FrameDestination,
    outgoing: Outgoing,
    identity: FrameIdentity | undefined,
    done: Job['done'],
    setting?: SendSetting,
  ): () => void {
    const key = keyOf(to);
    const line = this.#lines.get(key) ?? { to, waiting: [], current: undefined };
    this.#lines.set(key, line);
    const job: Job = { outgoing, identity, done, setting };
    line.waiting.push(job);
    this.#next(key, line);
    return () => this.#giveUp(key, line, job);
  }

  /** The time an answer has is over. */
  timer(key: string): void {
    const line = this.#lines.get(key);
    if (line?.current !== undefined) this.#step(key, line, { type: 'timer', wallMs: line.current.atMs });
  }

  #giveUp(key: string, line: Line, job: Job): void {
    if (line.current?.job === job) {
      line.current = undefined;
      this.#ports.stop(key);
      this.#next(key, line);
    } else {
      const at = line.waiting.indexOf(job);
      if (at !== -1) line.waiting.splice(at, 1);
    }
  }

  #received(from: FrameDestination, frame: Frame): void {
    const key = keyOf(from);
    const line = this.#lines.get(key);
    if (line?.current !== undefined)
      this.#step(key, line, { type: 'frame', wallMs: line.current.atMs, frame });
  }

  #next(key: string, line: Line): void {
    if (line.current !== undefined) return;
    const job = line.waiting.shift();
    if (job === undefined) {
      this.#lines.delete(key);
      return;
    }
    const { aes, random } = this.#ports.sealing;
    const { identity, outgoing } = job;
    const padding = identity?.padding ?? random(PADDING_BYTES);
    const atMs = identity?.shownMs ?? identity?.atMs ?? this.#ports.wallMs();
    // Only encrypted frames are refused for their time.
    const fresh = outgoing.key !== undefined && identity?.shownMs === undefined;
    line.current = {
      job,
      atMs,
      sealing: { aes, random: (length) => padding.subarray(0, length) },
      machine: sending(outgoing, job.setting, fresh ? (this.#offsets.get(key) ?? 0) : 0),
    };
    this.#step(key, line, { type: 'start', wallMs: atMs });
  }

  #step(key: string, line: Line, input: SendInput): void {
    const { current } = line;
    if (current === undefined) return;
    const { state, effects } = stepSending(current.machine, input, current.sealing);
    if (state.corrected && !current.machine.corrected)
      this.#offsets.set(key, current.atMs + state.offsetMs - this.#ports.wallMs());
    current.machine = state;
    for (const effect of effects) this.#perform(key, line, current.job, effect);
  }

  #perform(key: string, line: Line, job: Job, effect: SendEffect): void {
    switch (effect.type) {
      case 'send':
        this.#ports.run(this.#send(key, line, job, effect.bytes));
        return;
      case 'startTimer':
        this.#ports.start(key, effect.ms);
        return;
      case 'stopTimer':
        this.#ports.stop(key);
        return;
      case 'done':
        this.#over(key, line, job, { kind: 'done' });
        return;
      case 'failed':
        this.#over(key, line, job, { kind: 'failed', warning: effect.warning, reason: effect.reason });
        return;
    }
  }

  async #send(key: string, line: Line, job: Job, bytes: Uint8Array): Promise<void> {
    const { current } = line;
    if (job.outgoing.key !== undefined && current?.job === job)
      // A disk that is full must not keep an alarm from going out.
      await job.identity?.keep(current.atMs + current.machine.offsetMs).catch(() => undefined);
    if (line.current?.job !== job) return;
    const sent = await this.#ports.caller.send(line.to, bytes);
    if (sent.ok) return;
    this.#ports.turn(() => {
      if (line.current?.job !== job) return;
      const reason = `the receiver cannot be reached: ${sent.error.reason}`;
      this.#over(key, line, job, { kind: 'failed', warning: 'noRoute', reason });
    });
  }

  #over(key: string, line: Line, job: Job, outcome: FrameOutcome): void {
    if (line.current?.job !== job) return;
    line.current = undefined;
    this.#ports.stop(key);
    job.done(outcome);
    this.#next(key, line);
  }
}

const keyOf = ({ host, port, transport }: FrameDestination): string => `${transport} ${host}:${port}`;

/** `host:port`, an IPv6 address in brackets. */
export function frameDestination(destAddr: string, transport: 'tcp' | 'udp'): FrameDestination {
  const at = destAddr.lastIndexOf(':');
  return {
    host: destAddr.slice(0, at).replace(/^\[|\]$/g, ''),
    port: Number(destAddr.slice(at + 1)),
    transport,
  };
}
