import {
  type CaptureDocument,
  type CapturedMessage,
  type CaptureQuery,
  DayBudget,
  Intake,
  type IntakeCounts,
  isOverwritten,
  isoTime,
  type MessageLine,
  messageLine,
  pcapngBlocks,
  redact,
  type Share,
  type TakenMessage,
  TraceReading,
} from '../../capture/index.ts';
import { inSlices, slicedJson } from '../slice/index.ts';
import type { Capture, CaptureRequest, CaptureSetting } from './capture-setting.ts';
import { SegmentRing } from './segment-ring.ts';
import {
  capturedPost,
  type FrameTap,
  frameTap,
  type Post,
  type PostAnswer,
  type SentFrameTap,
  type SipTap,
  sentFrameTap,
  sipTap,
} from './tap.ts';

const BATCH = 256;
const DRAIN_MS = 1_000;
const DECIDE_MS = 5_000;
const EXPIRE_MS = 3_600_000;
/** Strangers have a tenth. */
const SHARE_OF: Readonly<Record<Share, number>> = { known: 0.9, stranger: 0.1 };
const SEGMENTS: Readonly<Record<Share, number>> = { known: 8, stranger: 4 };
/** Chosen: messages of one capture, together. */
const MOST_BYTES = 16 * 1024 * 1024;

/** Opens the capture; segments of the last run are there again. */
export async function openCapture(setting: CaptureSetting): Promise<CaptureStore> {
  const store = new CaptureStore(setting);
  await store.open();
  return store;
}

/** Everything that this host sent and received, without its secrets, for as long as the ring holds it. */
export class CaptureStore {
  /** For the sockets of SIP. */
  readonly sip: SipTap;
  /** For the listener of security panels. */
  readonly frames: FrameTap;
  /** For the frames that event senders send. */
  readonly sentFrames: SentFrameTap;
  readonly #setting: CaptureSetting;
  readonly #intake = new Intake();
  readonly #rings: Readonly<Record<Share, SegmentRing>>;
  readonly #budget = new DayBudget();
  #timer: NodeJS.Timeout | undefined;
  #expiry: NodeJS.Timeout | undefined;
  #isDue = false;
  #isClosed = false;
  #refused = 0;
  #isFailed = false;

  constructor(setting: CaptureSetting) {
    this.#setting = setting;
    const ring = (share: Share): SegmentRing =>
      new SegmentRing(setting.folder, share, setting.bytes * SHARE_OF[share], SEGMENTS[share]);
    this.#rings = { known: ring('known'), stranger: ring('stranger') };
    this.sip = sipTap((message) => this.#take(message), setting.nowMs);
    this.frames = frameTap((message) => this.#take(message), setting.nowMs);
    this.sentFrames = sentFrameTap((message) => this.#take(message), setting.nowMs);
  }

  async open(): Promise<void> {
    await Promise.all(Object.values(this.#rings).map((ring) => ring.open()));
    const expire = () => void this.expire().catch((cause: unknown) => this.#report(cause));
    this.#expiry = setInterval(expire, EXPIRE_MS).unref();
    expire();
  }

  /** The same way to post callbacks, its exchanges captured. */
  posting<Asked extends Post, Answer extends PostAnswer>(
    post: (request: Asked) => Promise<Answer>,
  ): (request: Asked) => Promise<Answer> {
    return capturedPost(post, (message) => this.#take(message), this.#setting.nowMs);
  }

  /** Routine exchanges that succeeded, and messages that could not be taken, since the start of the program. */
  get counts(): IntakeCounts {
    const { routine, missed } = this.#intake.counts;
    return { routine, missed: missed + this.#refused };
  }

  /** The captured messages of a trace, or of these Call-IDs. */
  async captureFor(request: CaptureRequest): Promise<Capture> {
    const { hostId, ownAddress, program } = this.#setting;
    const { traceId } = request;
    const reading = traceId === undefined ? undefined : await this.#readTrace(traceId);
    const query = queryOf(request, reading);
    const { messages, cut } = await this.#find(query);
    const state = this.#rings.known.state;
    const overwritten = isOverwritten(state, query.fromMs, messages);
    const lines: MessageLine[] = [];
    await inSlices(messages, (message) => lines.push(messageLine(message, ownAddress)));
    const document: CaptureDocument = {
      v: 1,
      kind: 'carillon-capture',
      hostId: hostId(),
      ...(traceId !== undefined && { traceId }),
      overwritten,
      oldestAt: state.oldestMs === undefined ? null : isoTime(state.oldestMs),
      cut: cut || reading?.isCut === true,
      missed: this.counts.missed,
      counted: this.counts.routine,
      messages: lines,
      media: reading?.sounds ?? [],
    };
    const comment = overwritten
      ? `The ring was overwritten: it begins at ${document.oldestAt}. Older messages are missing.`
      : undefined;
    return {
      document,
      json: () => slicedJson(document),
      async pcapng() {
        const blocks: Buffer[] = [];
        await inSlices(pcapngBlocks(messages, { program, ownAddress, comment }), (block) =>
          blocks.push(block),
        );
        return Buffer.concat(blocks);
      },
    };
  }

  /**
   * Takes the content out of every message about someone: those in which `isIn` finds them, and all others of the same conversations
   * and of these traces. Gives how many there were.
   */
  async erase(isIn: (text: string) => boolean, traceIds: readonly string[]): Promise<number> {
    this.#intake.settle((share, message) => this.#decided(share, message));
    const keys = new Set<string>();
    for (const traceId of traceIds)
      for (const key of (await this.#readTrace(traceId)).query.keys) keys.add(key);
    const rings = Object.values(this.#rings);
    for (const ring of rings)
      for await (const messages of ring.all())
        for (const message of messages) if (isIn(textOf(message))) keys.add(message.key);
    let erased = 0;
    for (const ring of rings)
      erased += await ring.erase((message) => keys.has(message.key) || isIn(textOf(message)));
    return erased;
  }

  /** Takes the content out of messages that were kept long enough. */
  async expire(): Promise<void> {
    const beforeMs = this.#setting.nowMs() - this.#setting.keepMs;
    await Promise.all(Object.values(this.#rings).map((ring) => ring.expire(beforeMs)));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    clearInterval(this.#expiry);
    this.#intake.settle((share, message) => this.#decided(share, message));
    await Promise.all(Object.values(this.#rings).map((ring) => ring.close()));
    this.#setting.hep?.close();
  }

  async #readTrace(traceId: string): Promise<TraceReading> {
    const reading = new TraceReading(traceId);
    for await (const { lines } of this.#setting.trace(traceId)) {
      if (lines === undefined) reading.miss();
      for (const line of lines ?? []) reading.add(line);
    }
    return reading;
  }

  async #find(query: CaptureQuery): Promise<{ readonly messages: CapturedMessage[]; readonly cut: boolean }> {
    this.#drain();
    const messages: CapturedMessage[] = [];
    let bytes = 0;
    const takes = (message: CapturedMessage): boolean => {
      bytes += message.bytes.length;
      if (bytes <= MOST_BYTES) messages.push(message);
      return bytes <= MOST_BYTES;
    };
    const { fromMs = 0, toMs = Number.POSITIVE_INFINITY } = query;
    const keys = new Set(query.keys);
    for (const held of [...this.#intake.held()])
      if (keys.has(held.key) && held.atMs >= fromMs && held.atMs <= toMs && !takes(clean(held))) break;
    for (const ring of Object.values(this.#rings))
      for await (const found of ring.find(query)) if (!found.every(takes)) break;
    return { messages: messages.sort((a, b) => a.atMs - b.atMs), cut: bytes > MOST_BYTES };
  }

  #take(message: TakenMessage): void {
    if (this.#isClosed) return;
    this.#intake.take(message);
    if (this.#intake.waiting >= BATCH && !this.#isDue) {
      this.#isDue = true;
      setImmediate(() => this.#drain());
    }
    this.#wake(DRAIN_MS);
  }

  #wake(withinMs: number): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#drain();
      for (const ring of Object.values(this.#rings)) void ring.flush();
      // Messages that wait for an answer are decided although nothing more comes.
      if (this.#intake.isUndecided) this.#wake(DECIDE_MS);
    }, withinMs).unref();
  }

  #drain(): void {
    this.#isDue = false;
    if (this.#isClosed) return;
    try {
      this.#intake.drain(this.#setting.nowMs(), (share, message) => this.#decided(share, message));
    } catch (cause) {
      // A defect here costs messages of the capture, and no call.
      this.#refused++;
      this.#report(cause);
    }
  }

  #decided(share: Share, message: CapturedMessage): void {
    const ring = this.#rings[share];
    if (!this.#budget.takes(message.key, message.bytes.length, message.atMs) || !ring.add(message))
      this.#refused++;
    if (message.protocol === 'sip') this.#setting.hep?.send(clean(message));
    if (ring.failure !== undefined) this.#report(ring.failure);
  }

  #report(cause: unknown): void {
    if (this.#isFailed) return;
    this.#isFailed = true;
    this.#setting.failed(String(cause));
  }
}

function queryOf(
  { callIds = [], fromMs, toMs }: CaptureRequest,
  reading: TraceReading | undefined,
): CaptureQuery {
  const traced: CaptureQuery = reading?.query ?? { keys: [] };
  return {
    keys: [...traced.keys, ...callIds],
    fromMs: fromMs ?? traced.fromMs,
    toMs: toMs ?? traced.toMs,
  };
}

/** A copy without secrets, of a message that is not in a segment. */
function clean(message: CapturedMessage): CapturedMessage {
  const bytes = new Uint8Array(message.bytes);
  redact(bytes, message.protocol);
  return { ...message, bytes };
}

const textOf = ({ bytes, key }: CapturedMessage): string => `${key}\n${Buffer.from(bytes).toString()}`;
