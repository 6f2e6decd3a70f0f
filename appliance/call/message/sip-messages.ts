import { CALLBACK_PATH, type SipMessageReceived } from '#shared/contract/callback/index.ts';
import { IN_CALL_WAIT_MS } from '#shared/contract/runtime/index.ts';
import { hostPort } from '#shared/host-port.ts';
import { fail, ok, type Result } from '#shared/result.ts';
import { type CallbackPorts, makeReplyId } from '../../delivery/callback/index.ts';
import { noteQueuedCallback } from '../../delivery/callback-trace.ts';
import type { QueuePorts } from '../../delivery/command-queue.ts';
import {
  bridgeMessageDestination,
  type DeliveryService,
  messageDestination,
} from '../../delivery/delivery-service.ts';
import type { JournalPorts } from '../../delivery/outbox/index.ts';
import type { PlatformAlarms } from '../../delivery/platform-alarms.ts';
import type { TimerPorts, TimerScope } from '../../kernel/engine-timers.ts';
import type { KernelPorts } from '../../kernel/port.ts';
import { ReportMemory } from '../../kernel/report-memory.ts';
import type { MessageSender, OperationFailure, OutgoingMessage } from '../../operation/index.ts';
import type { DeviceLine, SayAt } from '../../registration/device-line.ts';
import {
  answerPlaces,
  namedPorts,
  type Place,
  placesOf,
  userOf,
  withRoutes,
} from '../../registration/device-place.ts';
import { storedHa1 } from '../../registration/directory.ts';
import type { Registrations } from '../../registration/registrations.ts';
import type { ReplicatedBridge, TenantPorts } from '../../replica/index.ts';
import type { Hash, HeldLogin, RequestFacts } from '../../sip/auth/index.ts';
import {
  type Flow,
  LONGEST_DATAGRAM,
  type ServerTransaction,
  type SipEndpoint,
} from '../../sip/endpoint/index.ts';
import type { SipRequest } from '../../sip/message/index.ts';
import type { NextHopResolver } from '../trunk/index.ts';
import { MessageAttempt } from './message-attempt.ts';
import { type MessageReceiver, recordArrived, recordSent } from './message-record.ts';
import { type MessageReplyPath, ReplyPathTable } from './reply-path-table.ts';

type Ports = KernelPorts & TimerPorts & TenantPorts & JournalPorts & CallbackPorts & QueuePorts;

interface Arrival {
  readonly request: SipRequest;
  readonly server: ServerTransaction;
  readonly flow: Flow;
  readonly nowMs: number;
}

export interface SipMessagesDependencies {
  readonly endpoint: SipEndpoint;
  readonly delivery: DeliveryService;
  readonly alarms: PlatformAlarms;
  readonly reach: NextHopResolver;
  readonly hash: Hash;
  readonly line: Pick<DeviceLine, 'send'>;
  readonly registrations: Pick<Registrations, 'contactsOf' | 'answering'>;
}

type Sent = Result<undefined, OperationFailure>;

/**
 * SIP MESSAGEs of applications, both ways (runtime API document 4.4 and 6). A message that no alarm bridge takes goes to the
 * `/message` callback and to the command queue, or is answered 404 with an alarm (decisions 3). A message of an application
 * goes back the way a message came, to the contacts of a registered device, or where its address leads.
 */
export class SipMessages implements MessageSender {
  readonly #ports: Ports;
  readonly #dependencies: SipMessagesDependencies;
  readonly #replyPaths = new ReplyPathTable();
  /** Requests of applications whose outcome is awaited, by number. */
  readonly #waiting = new Map<string, (sent: Sent) => void>();
  readonly #timers: TimerScope<'wait'>;
  /** Senders whose alarm found no receiver, as reported to a person. */
  readonly #reports = new ReportMemory();
  #sent = 0;

  constructor(ports: Ports, dependencies: SipMessagesDependencies) {
    this.#ports = ports;
    this.#dependencies = dependencies;
    // A device that confirms later has the message nevertheless.
    this.#timers = ports.timers.scope((id) => this.#over(id, silent('the device', IN_CALL_WAIT_MS)));
  }

  /** `proven`: by a secret of the device. `bridge`: takes messages of this destination. `isAlarm`: it names itself an alarm, and no alarm bridge reads it. */
  take(
    arrival: Arrival,
    facts: RequestFacts,
    {
      proven,
      bridge,
      isAlarm,
    }: { readonly proven: boolean; readonly bridge: ReplicatedBridge | undefined; readonly isAlarm: boolean },
  ): void {
    const { server, nowMs } = arrival;
    const dest = this.#destinationOf(bridge);
    if (dest !== undefined) {
      const taker = dest === messageDestination ? undefined : bridge;
      this.#ports.run(this.#forward(arrival, facts, { dest, bridge: taker, proven }));
      // This application is not provisioned for alarms: it may read chats, and the device hears no answer.
      if (
        isAlarm &&
        bridge === undefined &&
        this.#isReported('forwarded', `${facts.fromUser} ${facts.destination}`)
      )
        this.#noReceiver(facts, `no alarm bridge takes it; it went to messageCallbackBaseUrl as a message`);
      return;
    }
    server.respond({ status: 404 }, nowMs);
    if (!proven) this.#ports.sessions?.attempted(facts.source, 'no receiver of the message');
    else {
      const record = recordArrived(this.#ports, facts, arrival.request.uriText);
      record.add('sipAnswered', { status: 404 });
      record.end('refused', '404 no receiver of the message');
    }
    this.#noReceiver(facts, 'no alarm bridge takes it and messageCallbackBaseUrl is not set');
  }

  /**
   * An alarm that no alarm bridge reads, of a sender who was not let in and may not come again. `Chosen:` once for each source and
   * name in ten minutes, since anybody can say so.
   */
  lost(facts: RequestFacts): void {
    if (this.#isReported('stranger', `${facts.source} ${facts.fromUser}`))
      this.#noReceiver(facts, 'no alarm bridge takes it, and its sender was not let in (401 or 403)');
  }

  #isReported(about: string, name: string): boolean {
    return this.#reports.report(about, name, this.#ports.clock.monoMs());
  }

  #noReceiver({ destination, fromUser, source }: RequestFacts, why: string): void {
    const reason = `a message for "${destination}" found no receiver: ${why}; provision an alarm bridge of its protocol whose destinationMatch finds "${destination}"`;
    const errorDetails = { reason, sipFrom: fromUser, sourceIp: source };
    this.#dependencies.alarms.raise({ type: 'serviceAlarm', error: 'noReceiver', errorDetails });
  }

  /** Connection 0 is no connection. */
  connectionClosed({ connection }: Flow): void {
    if (connection !== 0) this.#replyPaths.closed(connection);
  }

  readonly send = async (message: OutgoingMessage): Promise<Sent> => {
    const { from, reqUri: to } = message;
    const own = this.#ownUser(to);
    const deviceId = own && this.#ports.tenant().byId(own)?.deviceId;
    const record = recordSent(this.#ports, { from: userOf(from), to, deviceId });
    const sent = await this.#send(message);
    record.end(sent.ok ? 'done' : 'failed', sent.ok ? undefined : sent.error.reason);
    return sent;
  };

  async #send(message: OutgoingMessage): Promise<Sent> {
    const { reqUri, from } = message;
    const nowMs = this.#ports.clock.monoMs();
    const own = this.#ownUser(reqUri);
    const exact = this.#replyPaths.find(reqUri, nowMs);
    const replyPaths =
      exact !== undefined ? [exact] : own === undefined ? [] : this.#replyPaths.named(own, nowMs);
    if (!this.#isAuthorised(from, replyPaths))
      return fail(
        'forbidden',
        `/from: ${from} is no provisioned device of ${this.#ports.tenant().domain}; use sip:{deviceId}@${this.#ports.tenant().domain}, or the recipient of the message that is answered`,
        '/from',
      );
    const places =
      exact !== undefined ? this.#answering(exact, reqUri) : this.#placesOf(own, replyPaths, reqUri);
    const isOpen = places.some(({ flow }) => flow !== undefined);
    if (places.length > 1 || isOpen) return await this.#ask(message, places);
    const [{ uri, hop = uri, routes } = { uri: reqUri, routes: [] }] = places;
    const isLong = sizeOf(message, routes) > LONGEST_DATAGRAM;
    const found = await (isLong
      ? this.#dependencies.reach.streamCandidates(hop)
      : this.#dependencies.reach.candidates(hop));
    if (!found.ok) return fail('noRoute', `${uri} cannot be reached: ${found.error.reason}`, '/reqUri');
    let reason = 'it has no address';
    for (const { open } of found.value) {
      const flow = await open();
      if (flow.ok) return await this.#ask(message, [{ uri, routes, flow: flow.value }]);
      reason = flow.error.reason;
    }
    return fail('noRoute', `${uri} cannot be reached: ${reason}`, '/reqUri');
  }

  /** The answer goes to where the message came from, in the words of the application. */
  #answering(replyPath: MessageReplyPath, reqUri: string): readonly Place[] {
    const contacts = this.#dependencies.registrations.answering(
      userOf(replyPath.device),
      replyPath.flow.remoteAddress,
    );
    const [first, ...others] = answerPlaces(replyPath, contacts);
    return first === undefined ? [] : [{ ...first, uri: reqUri }, ...others];
  }

  /** Nothing is answered: what a secret has proven goes first, then who was there first. */
  #placesOf(
    user: string | undefined,
    replyPaths: readonly MessageReplyPath[],
    reqUri: string,
  ): readonly Place[] {
    const contacts = user === undefined ? [] : this.#dependencies.registrations.contactsOf(user);
    const held = contacts.map((contact) => {
      const { proven, source: from, sinceMs } = contact;
      return { proven, from, sinceMs, places: placesOf([contact]) };
    });
    const received = replyPaths.map(({ flow, proven, sinceMs }) => {
      const place: Place = { uri: reqUri, routes: [], flow };
      return { proven, from: flow.remoteAddress, sinceMs, places: [place] };
    });
    const all = [...held, ...received];
    const sinceOf = ({ from }: (typeof all)[number]): number =>
      Math.min(...all.filter((each) => each.from === from).map(({ sinceMs }) => sinceMs));
    return all
      .toSorted((a, b) => Number(b.proven) - Number(a.proven) || sinceOf(a) - sinceOf(b))
      .flatMap(({ places }) => places);
  }

  /** A bridge of events by API is where its messages go too (document 2, 6); else the tenant says. */
  #destinationOf(bridge: ReplicatedBridge | undefined): string | undefined {
    if (bridge?.protocol === 'api' && bridge.callbackBaseUrl !== undefined)
      return bridgeMessageDestination(bridge.id);
    const { messageCallbackBaseUrl } = this.#ports.tenant().notification;
    return messageCallbackBaseUrl === undefined ? undefined : messageDestination;
  }

  /** 200 once it is on the disk; 503 when it cannot be written, and the sender tries again. */
  async #forward(
    { request, server, flow, nowMs }: Arrival,
    facts: RequestFacts,
    { proven, ...receiver }: MessageReceiver & { readonly proven: boolean },
  ): Promise<void> {
    const { dest } = receiver;
    const record = recordArrived(this.#ports, facts, request.uriText, receiver);
    const { traceId } = record;
    const body = this.#received(request, flow, facts, traceId);
    const us = request.to.uriText;
    const { uriText: device } = request.from;
    const ports = namedPorts(request, flow);
    const sinceMs = this.#ports.clock.wallMs();
    const replyPath = { flow: server.flow, device, ports, proven, sinceMs, us, atMs: nowMs };
    this.#replyPaths.keep(body.replyTo, facts.fromUser, replyPath);
    const row = this.#dependencies.delivery.row({
      lane: 'svc',
      dest,
      orderKey: facts.fromUser,
      type: 'message',
      call: {
        traceId,
        path: CALLBACK_PATH.message,
        headers: {},
        body: JSON.stringify(body),
        eventSeq: 1,
        shape: 'default',
      },
      state: 'new',
      late: false,
    });
    const startMs = this.#ports.clock.monoMs();
    try {
      await this.#ports.journal.commit([{ kind: 'outbox', row }]);
    } catch {
      server.respond({ status: 503, headers: [['Retry-After', '5']] }, this.#ports.clock.monoMs());
      record.add('sipAnswered', { status: 503 });
      record.end('failed', '503 the message could not be stored');
      return;
    }
    record.add('stored', { eventId: row.id, tookMs: this.#ports.clock.monoMs() - startMs });
    noteQueuedCallback(record, dest);
    record.add('sipAnswered', { status: 200 });
    record.end('done');
    server.respond({ status: 200 }, this.#ports.clock.monoMs());
    this.#dependencies.delivery.queued(row);
    const { queue, place } = this.#ports;
    queue?.tell('message', {
      event: 'MESSAGE',
      ...body,
      commandQueue: queue.urlOf('message'),
      commandRegion: place.siteId,
    });
  }

  #received(request: SipRequest, flow: Flow, facts: RequestFacts, traceId: string): SipMessageReceived {
    const { domain } = this.#ports.tenant();
    const { hostId, epoch } = this.#ports.place;
    const iat = Math.floor(this.#ports.clock.wallMs() / 1000);
    const claims = { domain, host: hostId, epoch, session: traceId, refers: 'message', iat };
    const transport = flow.transport === 'UDP' ? '' : `;transport=${flow.transport.toLowerCase()}`;
    return {
      callId: request.callId,
      received: flow.remoteAddress,
      sourcePort: String(flow.remotePort),
      fromDomain: facts.fromHost,
      fromUser: facts.fromUser,
      fromURI: request.from.uriText,
      to: request.to.uriText,
      replyTo: `sip:${facts.fromUser}@${hostPort(flow.remoteAddress, flow.remotePort)}${transport}`,
      targetDomain: domain,
      contentType: request.contentType ?? '',
      body: request.body.toString('utf8'),
      protocol: PROTOCOL[flow.transport],
      replyId: makeReplyId(claims, this.#ports.signReply),
    };
  }

  /**
   * The sender is a device of the tenant, by an address of the tenant, or the address that the device spoke to. A foreign
   * domain would let one tenant speak in the name of another.
   */
  #isAuthorised(from: string, replyPaths: readonly MessageReplyPath[]): boolean {
    const own = this.#ownUser(from);
    if (own !== undefined && this.#ports.tenant().byId(own) !== undefined) return true;
    const user = userOf(from);
    if (user === '') return false;
    return replyPaths.some(
      ({ us }) => userOf(us) === user && (own !== undefined || hostOf(us) === hostOf(from)),
    );
  }

  /** The user part when the address is one of this tenant, and so of a device that may be registered here. */
  #ownUser(uri: string): string | undefined {
    return hostOf(uri) === this.#ports.tenant().domain ? userOf(uri) : undefined;
  }

  /** `Chosen:` a device knows its own password only; without one of it, that of the device that speaks. */
  #loginOf(reqUri: string, from: string): HeldLogin | undefined {
    const tenant = this.#ports.tenant();
    for (const user of [userOf(reqUri), userOf(from)]) {
      const digest = tenant.byId(user)?.digest;
      if (digest !== undefined) return { username: user, realm: tenant.domain, ha1: storedHa1(digest) };
    }
    return undefined;
  }

  #ask(message: OutgoingMessage, places: readonly Place[]): Promise<Sent> {
    const { reqUri, from, contentType, body } = message;
    const bytes = Buffer.from(body);
    const { endpoint, hash, line } = this.#dependencies;
    const attempt = new MessageAttempt({ endpoint, hash, ports: this.#ports }, this.#loginOf(reqUri, from));
    const headers: [string, string][] = [
      ['From', `<${from}>;tag=${Buffer.from(this.#ports.random(6)).toString('hex')}`],
      ['To', `<${reqUri}>`],
      ['Content-Type', contentType],
    ];
    const length = Math.max(...places.map(({ routes }) => sizeOf(message, routes)));
    // RFC 3428 8 forbids the datagram where RFC 3261 18.1.1 would still permit it.
    const wide = length > LONGEST_DATAGRAM ? places.filter(({ flow }) => flow?.transport !== 'UDP') : places;
    if (wide.length === 0) {
      const reason = `/body: ${reqUri} is reached over UDP, which carries about ${LONGEST_DATAGRAM} bytes with the headers; this has ${length}`;
      return Promise.resolve(fail('tooLarge', reason, '/body'));
    }
    const id = String(++this.#sent);
    const nowMs = this.#ports.clock.monoMs();
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      this.#timers.start(id, 'wait', nowMs + IN_CALL_WAIT_MS);
      const say: SayAt = ({ uri, routes }, flow, onOutcome) =>
        attempt.send(
          { method: 'MESSAGE', uri, headers: withRoutes(headers, routes), body: bytes, pinned: true },
          flow,
          onOutcome,
        );
      line.send(wide, say, (outcome) => {
        if (outcome.kind === 'silent') this.#over(id, silent(reqUri, this.#ports.clock.monoMs() - nowMs));
        else if (outcome.kind === 'unreachable')
          this.#over(id, fail('noRoute', `${reqUri} cannot be reached: ${outcome.reason}`, '/reqUri'));
        else if (outcome.response.status >= 300) {
          const { status, reason } = outcome.response;
          this.#over(id, fail('messageRefused', `${reqUri} answered ${status} ${reason}`));
        } else this.#over(id, ok(undefined));
      });
    });
  }

  #over(id: string, sent: Sent): void {
    const done = this.#waiting.get(id);
    this.#waiting.delete(id);
    this.#timers.stop(id, 'wait');
    done?.(sent);
  }
}

/** A transaction without an answer counts as 408 (RFC 3261 8.1.3.1). */
const silent = (who: string, waitedMs: number) =>
  fail(
    'deviceSilent',
    `${who} did not answer the MESSAGE within ${Math.round(waitedMs / 1000)} s (SIP 408 Request Timeout)`,
  );

const PROTOCOL: Readonly<Record<Flow['transport'], SipMessageReceived['protocol']>> = {
  UDP: 'udp',
  TCP: 'tcp',
  TLS: 'tls',
  WS: 'tcp',
  WSS: 'tls',
};

/** The host of a SIP URI in lower case, an IPv6 address with its brackets; empty: the text is no SIP URI. */
const hostOf = (uri: string): string =>
  /^sips?:[^@]+@(\[[^\]]*\]|[^;:?]+)/i.exec(uri)?.[1]?.toLowerCase() ?? '';

/** About what it takes on the wire, with the fields that every request of ours has. */
const sizeOf = ({ reqUri, from, contentType, body }: OutgoingMessage, path: readonly string[]): number =>
  [reqUri, from, contentType, ...path].reduce((sum, value) => sum + value.length + 16, 0) +
  Buffer.byteLength(body) +
  250;
