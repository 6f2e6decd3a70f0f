import type { LatePages } from '../../kernel/late-pages.ts';
import type { KernelPorts } from '../../kernel/port.ts';
import type { TraceBook } from '../../kernel/trace-book.ts';
import type { Contact } from '../../registration/registration-desk.ts';
import type { TenantPorts } from '../../replica/index.ts';
import {
  bracketed,
  type Flow,
  type Outgoing,
  type ServerTransaction,
  type SipEndpoint,
} from '../../sip/endpoint/index.ts';
import type { BookEffect } from '../protocol/scaip/index.ts';

type Ports = KernelPorts & TenantPorts;

/** The way back to a device: how its request came, and the names both sides went by. */
export interface Way {
  readonly id: string;
  readonly flow: Flow;
  /** URI of the request's From: the device. */
  readonly device: string;
  /** URI of the request's To: us. */
  readonly us: string;
  readonly contentType: string;
  readonly atMs: number;
  /** A 200 that waits for the answer in its body (`responseMode` in200 and both). */
  readonly waiting: ServerTransaction | undefined;
}

/** Where a registered device wants its requests. */
export type ContactOf = (device: string) => Contact | undefined;

/** A held device comes back within 30 minutes with a request of its own, hence a new way: old ones are not needed. */
const KEPT_MS = 5 * 60_000;
const MOST = 100_000;

/** Answers devices by a MESSAGE of our own, in the 200, or both. */
export class DeviceReply {
  readonly #ports: Ports;
  readonly #endpoint: SipEndpoint;
  readonly #contactOf: ContactOf;
  readonly #pages: LatePages;
  /** Insertion order is order of time. */
  readonly #ways = new Map<string, Way>();
  #opened = 0;

  constructor(ports: Ports, endpoint: SipEndpoint, contactOf: ContactOf, pages: LatePages) {
    this.#ports = ports;
    this.#endpoint = endpoint;
    this.#contactOf = contactOf;
    this.#pages = pages;
  }

  open(way: Omit<Way, 'id' | 'atMs'>): Way {
    const atMs = this.#ports.clock.monoMs();
    for (const [id, old] of this.#ways) {
      if (atMs - old.atMs < KEPT_MS && this.#ways.size < MOST) break;
      this.#ways.delete(id);
    }
    const { device, us } = way;
    const opened = { ...way, device: escaped(device), us: escaped(us), id: String(++this.#opened), atMs };
    this.#ways.set(opened.id, opened);
    return opened;
  }

  answer(effect: BookEffect & { readonly type: 'answer' }, trace: TraceBook | undefined): void {
    const { response, xml, mode } = effect;
    trace?.add('deviceAnswered', {
      ref: response.ref,
      snu: response.snu,
      mre: response.mre,
      cre: response.cre,
      tnu: response.tnu?.join(', '),
    });
    const ways = effect.to.map((id) => this.#ways.get(id)).filter((way) => way !== undefined);
    if (mode !== 'message') for (const way of ways) this.#in200(way, xml);
    const last = ways.at(-1);
    if (last === undefined)
      trace?.add('deviceUnreached', { reason: 'the device must ask again: its way is gone' });
    else if (mode !== 'in200') this.#message(last, xml, trace);
  }

  /** The answer to one request, as its profile wants it; '' = none but the 200. */
  give(way: Way, xml: string, mode: 'message' | 'in200' | 'both', trace: TraceBook | undefined): void {
    if (mode !== 'message') this.#in200(way, xml);
    if (mode !== 'in200' && xml !== '') this.#message(way, xml, trace);
  }

  /** Sends `xml` as a MESSAGE by each way that is still known. */
  say(to: readonly string[], xml: string, trace: TraceBook | undefined): void {
    for (const id of to) {
      const way = this.#ways.get(id);
      if (way === undefined) trace?.add('deviceUnreached', { reason: 'its way is gone' });
      else this.#message(way, xml, trace);
    }
  }

  /** No answer of the protocol. A 200 that still waits becomes 503, so that the device tries its next receiver. */
  silence(to: readonly string[]): void {
    for (const id of to) {
      this.#ways
        .get(id)
        ?.waiting?.respond({ status: 503, headers: [['Retry-After', '5']] }, this.#ports.clock.monoMs());
    }
  }

  #in200({ waiting, contentType }: Way, xml: string): void {
    const body =
      xml === ''
        ? {}
        : { headers: [['Content-Type', contentType]] as [string, string][], body: Buffer.from(xml) };
    waiting?.respond({ status: 200, ...body }, this.#ports.clock.monoMs());
  }

  #message(way: Way, xml: string, trace: TraceBook | undefined): void {
    const nowMs = this.#ports.clock.monoMs();
    const contact = this.#contactOf(way.device);
    const flow = contact?.flow ?? way.flow;
    const token = Buffer.from(this.#ports.random(12)).toString('hex');
    const message: Outgoing = {
      method: 'MESSAGE',
      uri: escaped(contact?.uri ?? sourceUri(way)),
      headers: [
        ['From', `<${way.us}>;tag=${token.slice(0, 12)}`],
        ['To', `<${way.device}>`],
        ['Call-ID', `${token}@${this.#ports.place.address}`],
        ['CSeq', '1 MESSAGE'],
        ['Content-Type', way.contentType],
        ...(contact?.path ?? []).map((route): [string, string] => ['Route', route]),
      ],
      body: Buffer.from(xml),
      pinned: true,
    };
    this.#endpoint.request(message, flow, nowMs, (outcome) => {
      if (outcome.kind === 'response' && outcome.response.status < 200) return;
      if (outcome.kind === 'response' && outcome.response.status < 300) {
        trace?.add('deviceConfirmed', { status: outcome.response.status });
      } else {
        // The device repeats its request and gets the same answer again.
        const reason = outcome.kind === 'response' ? `SIP ${outcome.response.status}` : outcome.kind;
        trace?.add('deviceUnreached', { reason });
      }
      this.#pages.add(trace?.takePage() ?? []);
    });
  }
}

/** Interop: devices write names beyond ASCII as they are, which a URI of ours must not hold (RFC 3261 25.1). */
const escaped = (uri: string): string =>
  uri.replace(/[^\x21-\x7e]/g, (sign) => `%${sign.charCodeAt(0).toString(16).padStart(2, '0')}`);

/** The user the device calls itself, at the address its request came from: what reaches a device that never registered. */
function sourceUri({ device, flow }: Way): string {
  const user = /^sips?:([^@;>]+)@/i.exec(device)?.[1];
  const host = `${bracketed(flow.remoteAddress)}:${flow.remotePort}`;
  const transport = flow.transport === 'UDP' ? '' : `;transport=${flow.transport.toLowerCase()}`;
  return `sip:${user === undefined ? '' : `${user}@`}${host}${transport}`;
}
