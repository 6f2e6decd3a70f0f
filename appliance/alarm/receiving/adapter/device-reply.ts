import type { TraceWriteBehind } from '../../../delivery/trace-write-behind.ts';
import type { KernelPorts } from '../../../kernel/port.ts';
import type { SessionTrace } from '../../../kernel/session-trace.ts';
import type { DeviceLine, LineOutcome, SayAt } from '../../../registration/device-line.ts';
import {
  answerPlaces,
  type Contact,
  type Place,
  userOf,
  withRoutes,
} from '../../../registration/device-place.ts';
import type { TenantPorts } from '../../../replica/index.ts';
import type { Flow, ServerTransaction } from '../../../sip/endpoint/index.ts';
import type { ExchangeTableEffect } from '../../protocol/scaip/index.ts';

type Ports = KernelPorts & TenantPorts;

/** The way back to a device: how its request came, and the names both sides went by. */
export interface DeviceReplyPath {
  readonly id: string;
  readonly flow: Flow;
  /** URI of the request's From: the device. */
  readonly device: string;
  /** Other ports at which it may listen. */
  readonly ports: readonly number[];
  /** URI of the request's To: us. */
  readonly us: string;
  readonly contentType: string;
  readonly atMs: number;
  /** A 200 that waits for the answer in its body (`responseMode` in200 and both). */
  readonly waiting: ServerTransaction | undefined;
}

/** Contacts of a device, named by its user, that an answer to this address may go to. */
export type Answering = (user: string, address: string) => readonly Contact[];

/** One request of ours to a device, over all its tries; the attempt adds Call-ID, CSeq and credentials. */
export interface ReplyAttempt {
  /** The Call-ID of all its tries. */
  readonly callId: string;
  send(
    request: {
      readonly method: string;
      readonly uri: string;
      readonly headers: readonly (readonly [string, string])[];
      readonly body: Uint8Array;
      readonly pinned: boolean;
    },
    flow: Flow,
    onOutcome: (outcome: LineOutcome) => void,
  ): void;
}

export interface DeviceReplyParts {
  readonly line: Pick<DeviceLine, 'send'>;
  readonly newAttempt: () => ReplyAttempt;
  readonly answering: Answering;
  readonly pages: TraceWriteBehind;
}

/** A held device comes back within 30 minutes with a request of its own, hence a new way: old ones are not needed. */
const KEPT_MS = 5 * 60_000;
const MOST = 100_000;

/** Answers devices by a MESSAGE of our own, in the 200, or both. The answer goes to where the alarm came from. */
export class DeviceReply {
  readonly #ports: Ports;
  readonly #parts: DeviceReplyParts;
  /** Insertion order is order of time. */
  readonly #replyPaths = new Map<string, DeviceReplyPath>();
  /** Id of the newest way of a user from an address. */
  readonly #newest = new Map<string, string>();
  #opened = 0;

  constructor(ports: Ports, parts: DeviceReplyParts) {
    this.#ports = ports;
    this.#parts = parts;
  }

  open(replyPath: Omit<DeviceReplyPath, 'id' | 'atMs'>): DeviceReplyPath {
    const atMs = this.#ports.clock.monoMs();
    for (const [id, old] of this.#replyPaths) {
      if (atMs - old.atMs < KEPT_MS && this.#replyPaths.size < MOST) break;
      this.#replyPaths.delete(id);
      const from = sourceKey(userOf(old.device), old.flow.remoteAddress);
      if (this.#newest.get(from) === id) this.#newest.delete(from);
    }
    const { device, us } = replyPath;
    const opened = {
      ...replyPath,
      device: escaped(device),
      us: escaped(us),
      id: String(++this.#opened),
      atMs,
    };
    this.#replyPaths.set(opened.id, opened);
    this.#newest.set(sourceKey(userOf(opened.device), opened.flow.remoteAddress), opened.id);
    return opened;
  }

  /** The way the latest request of this user came from this address, for some minutes. */
  replyPathFrom(user: string, address: string): DeviceReplyPath | undefined {
    return this.#replyPaths.get(this.#newest.get(sourceKey(user, address)) ?? '');
  }

  answer(effect: ExchangeTableEffect & { readonly type: 'answer' }, trace: SessionTrace | undefined): void {
    const { response, xml, mode } = effect;
    trace?.add('deviceAnswered', {
      ref: response.ref,
      snu: response.snu,
      mre: response.mre,
      cre: response.cre,
      tnu: response.tnu?.join(', '),
    });
    const replyPaths = effect.to
      .map((id) => this.#replyPaths.get(id))
      .filter((replyPath) => replyPath !== undefined);
    if (mode !== 'message') for (const replyPath of replyPaths) this.#in200(replyPath, xml);
    if (replyPaths.length === 0)
      trace?.add('deviceUnreached', { reason: 'the device must ask again: its reply path is closed' });
    else if (mode !== 'in200')
      for (const replyPath of newestOfEach(replyPaths)) this.#message(replyPath, xml, trace);
  }

  /** The answer to one request, as its profile wants it; '' = none but the 200. */
  give(
    replyPath: DeviceReplyPath,
    xml: string,
    mode: 'message' | 'in200' | 'both',
    trace: SessionTrace | undefined,
  ): void {
    if (mode !== 'message') this.#in200(replyPath, xml);
    if (mode !== 'in200' && xml !== '') this.#message(replyPath, xml, trace);
  }

  /** Sends `xml` as a MESSAGE by each way that is still known. */
  say(to: readonly string[], xml: string, trace: SessionTrace | undefined): void {
    for (const id of to) {
      const replyPath = this.#replyPaths.get(id);
      if (replyPath === undefined) trace?.add('deviceUnreached', { reason: 'its reply path is closed' });
      else this.#message(replyPath, xml, trace);
    }
  }

  /** No answer of the protocol. A 200 that still waits becomes 503, so that the device tries its next receiver. */
  silence(to: readonly string[]): void {
    for (const id of to) {
      this.#replyPaths
        .get(id)
        ?.waiting?.respond({ status: 503, headers: [['Retry-After', '5']] }, this.#ports.clock.monoMs());
    }
  }

  #in200({ waiting, contentType }: DeviceReplyPath, xml: string): void {
    const body =
      xml === ''
        ? {}
        : { headers: [['Content-Type', contentType]] as [string, string][], body: Buffer.from(xml) };
    waiting?.respond({ status: 200, ...body }, this.#ports.clock.monoMs());
  }

  #message(replyPath: DeviceReplyPath, xml: string, trace: SessionTrace | undefined): void {
    const contacts = this.#parts.answering(userOf(replyPath.device), replyPath.flow.remoteAddress);
    this.sayAt(answerPlaces(replyPath, contacts), replyPath, xml, trace);
  }

  /** Sends `xml` as a MESSAGE to the first of these places that takes it; `leaves` hears of each way that is tried. */
  sayAt(
    places: readonly Place[],
    { device, us, contentType }: Pick<DeviceReplyPath, 'device' | 'us' | 'contentType'>,
    xml: string,
    trace: SessionTrace | undefined,
    leaves?: (flow: Flow) => void,
  ): void {
    const { line, newAttempt, pages } = this.#parts;
    const token = Buffer.from(this.#ports.random(6)).toString('hex');
    const headers: [string, string][] = [
      ['From', `<${us}>;tag=${token}`],
      ['To', `<${device}>`],
      ['Content-Type', contentType],
    ];
    const body = Buffer.from(xml);
    const attempt = newAttempt();
    const { callId } = attempt;
    const say: SayAt = ({ uri, routes }, flow, onOutcome) => {
      leaves?.(flow);
      const message = { method: 'MESSAGE', uri: escaped(uri), headers: withRoutes(headers, routes) };
      attempt.send({ ...message, body, pinned: true }, flow, onOutcome);
    };
    line.send(places, say, (outcome) => {
      if (outcome.kind === 'answered' && outcome.response.status < 300)
        trace?.add('deviceConfirmed', { status: outcome.response.status, callId });
      else {
        // The device repeats its request and gets the same answer again.
        const reason = outcome.kind === 'answered' ? `SIP ${outcome.response.status}` : outcome.kind;
        trace?.add('deviceUnreached', { reason, callId });
      }
      pages.add(trace?.takePage() ?? []);
    });
  }
}

const sourceKey = (user: string, address: string): string => `${address} ${user}`;

/** One way for each address that asked: a stranger who asks too does not take the answer of another one. */
const newestOfEach = (replyPaths: readonly DeviceReplyPath[]): Iterable<DeviceReplyPath> =>
  new Map(replyPaths.map((replyPath) => [replyPath.flow.remoteAddress, replyPath])).values();

/** Interop: devices write names beyond ASCII as they are, which a URI of ours must not hold (RFC 3261 25.1). */
const escaped = (uri: string): string =>
  uri.replace(/[^\x21-\x7e]/g, (sign) => `%${sign.charCodeAt(0).toString(16).padStart(2, '0')}`);
