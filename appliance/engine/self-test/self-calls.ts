import type { FarEnd } from '#shared/self-test/index.ts';
import {
  CALL_METHODS,
  LegTable,
  ORDINARY_POLICY,
  type SipLeg,
  type SipLegUser,
} from '../../call/control/index.ts';
import { describeDefect } from '../../kernel/defect.ts';
import type { TimerPorts, TimerScope } from '../../kernel/engine-timers.ts';
import type { KernelPorts } from '../../kernel/port.ts';
import { Turn } from '../../kernel/turn.ts';
import type { MediaEvent, MediaPorts } from '../../media/control/index.ts';
import { tone } from '../../media/dtmf/index.ts';
import type { TenantPorts } from '../../replica/index.ts';
import { type Flow, hostOf, type ServerTransaction, type SipEndpoint } from '../../sip/endpoint/index.ts';
import type { Lookup } from '../../sip/location/index.ts';
import { isSip, type SipRequest } from '../../sip/message/index.ts';

type Ports = KernelPorts & TimerPorts & TenantPorts & MediaPorts;

export interface SelfCallsDependencies {
  readonly endpoint: SipEndpoint;
  readonly lookup: Lookup;
  /** Host and port of our Contact towards a flow. */
  readonly contactAt: (flow: Flow) => string;
}

const PREFIX = 'selftest.';
const LEG_PREFIX = 'self-test ';
/** Chosen: longer than a self-test takes on a busy machine. */
const TICKET_MS = 90_000;
/** Two persons may test at once; whoever asks for more makes the oldest void. */
const MOST_TICKETS = 4;
const MOST_CALLS_EACH = 12;
const MOST_DIGITS = 32;
/** The first and the last digit of what is said back. */
const [FIRST, LAST] = ['*', '#'];
const DIGITS = { onMs: 80, offMs: 80 };
/** Away from the tones of digits, and within what each codec keeps. */
const TONE = { hz: 420, minMs: 100 };
const ANSWER = { ms: 400, dbm0: -10 };

/** As an alarm's call: it is taken where ordinary ones no longer are, since that is what is to be known. */
const POLICY = { ...ORDINARY_POLICY, profile: 'alarm' } as const;

interface Ticket {
  readonly legs: Set<string>;
  calls: number;
  byEvents: string;
  byTones: string;
  levelDbm0: number | undefined;
}

/** The far end of the loop call: an address that only its requester knows, answered by the media engine. */
export class SelfCalls {
  readonly #ports: Ports;
  readonly #dependencies: SelfCallsDependencies;
  readonly #legs: LegTable;
  readonly #turn: Turn;
  readonly #timers: TimerScope<'ticket'>;
  readonly #tickets = new Map<string, Ticket>();
  readonly #ticketOf = new Map<string, Ticket>();
  #opened = 0;

  constructor(ports: Ports, dependencies: SelfCallsDependencies) {
    this.#ports = ports;
    this.#dependencies = dependencies;
    this.#turn = new Turn(
      () => undefined,
      (cause) =>
        ports.log('error', 'loop_call.defect_caught', 'Caught a defect in a loop call', {
          cause: describeDefect(cause),
        }),
    );
    this.#timers = ports.timers.scope((user) => this.#void(user));
    const { clock, random, run, media, place, timers } = ports;
    const { endpoint, lookup } = dependencies;
    const legPorts = { clock, random, run, place, timers };
    const turn = (work: () => void): void => this.#turn.next(work);
    this.#legs = new LegTable(legPorts, { endpoint, media, lookup, turn });
  }

  /** False: the event is of no leg of ours. */
  onMediaEvent(event: MediaEvent): boolean {
    const ticket = 'leg' in event ? this.#ticketOf.get(event.leg) : undefined;
    if (ticket === undefined || !('leg' in event)) return false;
    this.#turn.next(() => this.#onMediaEvent(event.leg, ticket, event));
    return true;
  }

  /** Opens an address for calls; the user part that leads here. */
  expect(): { readonly user: string } {
    const nowMs = this.#ports.clock.monoMs();
    const [oldest] = this.#tickets.keys();
    if (this.#tickets.size >= MOST_TICKETS && oldest !== undefined) this.#void(oldest);
    const user = `${PREFIX}${Buffer.from(this.#ports.random(12)).toString('hex')}`;
    const figures = { calls: 0, byEvents: '', byTones: '', levelDbm0: undefined };
    this.#tickets.set(user, { legs: new Set(), ...figures });
    this.#timers.start(user, 'ticket', nowMs + TICKET_MS);
    return { user };
  }

  /** Does this user part lead here? */
  expects(user: string): boolean {
    return this.#tickets.has(user);
  }

  /** @returns the result at the far end; undefined: there is no such ticket any more */
  async farEnd(user: string): Promise<FarEnd | undefined> {
    const ticket = this.#tickets.get(user);
    if (ticket === undefined) return undefined;
    const { calls, byEvents, byTones, levelDbm0 } = ticket;
    const leg = [...ticket.legs].at(-1);
    const stats = leg === undefined ? undefined : await this.#ports.media.stats(leg);
    const { received } = stats?.ok ? stats.value : {};
    return {
      calls,
      byEvents,
      byTones,
      levelDbm0,
      received: received && {
        packets: received.packets,
        lost: received.lost,
        jitterMs: received.jitterMs,
      },
    };
  }

  /** False: the request is not for us. */
  deliver(request: SipRequest, server: ServerTransaction, flow: Flow): boolean {
    if (this.#tickets.size === 0 && this.#legs.kept === 0) return false;
    const found = this.#legs.byRequest(request);
    if (found !== undefined) {
      if (request.method === 'INVITE') this.#legs.invited(server, found.leg);
      this.#turn.next(() => found.leg.requested(found.tag, request, server));
      return true;
    }
    if (request.method !== 'INVITE' || request.to.tag !== undefined) return false;
    const uri = request.uri.ok ? request.uri.value : undefined;
    const ticket = uri !== undefined && isSip(uri) ? this.#tickets.get(uri.user ?? '') : undefined;
    if (ticket === undefined || ticket.calls >= MOST_CALLS_EACH) return false;
    this.#turn.next(() => this.#answer(ticket, request, server, flow));
    return true;
  }

  acknowledged(ack: SipRequest): boolean {
    const found = this.#legs.kept === 0 ? undefined : this.#legs.byRequest(ack);
    if (found !== undefined) this.#turn.next(() => found.leg.acknowledged(found.tag, ack));
    return found !== undefined;
  }

  cancelled(invite: ServerTransaction): boolean {
    const leg = this.#legs.byInvite(invite);
    if (leg !== undefined) this.#turn.next(() => leg.cancelled(invite));
    return leg !== undefined;
  }

  #void(user: string): void {
    const ticket = this.#tickets.get(user);
    this.#tickets.delete(user);
    this.#timers.stop(user, 'ticket');
    for (const name of [...(ticket?.legs ?? [])]) {
      this.#turn.next(() => this.#legs.leg(name)?.end());
      this.#forget(name);
    }
  }

  #answer(ticket: Ticket, request: SipRequest, server: ServerTransaction, flow: Flow): void {
    const name = `${LEG_PREFIX}${++this.#opened}`;
    const transport = flow.transport === 'UDP' ? '' : `;transport=${flow.transport.toLowerCase()}`;
    const contactAt = this.#dependencies.contactAt(flow);
    const leg = this.#legs.open(
      {
        name,
        flow,
        policy: POLICY,
        address: hostOf(contactAt),
        settings: {
          contact: `<sip:selftest@${contactAt}${transport}>`,
          allow: CALL_METHODS,
          timer: { expiresS: 1_800, minSeS: 90 },
          t1Ms: 500,
          t2Ms: 4_000,
          reliableProvisional: true,
        },
      },
      this.#user,
    );
    Object.assign(ticket, { calls: ticket.calls + 1, byEvents: '', byTones: '', levelDbm0: undefined });
    ticket.legs.add(name);
    this.#ticketOf.set(name, ticket);
    this.#legs.invited(server, leg);
    if (!leg.arrive(request, server)) this.#forget(name);
  }

  readonly #user: SipLegUser = {
    ready: (leg) => {
      // Before the answer: a digit may come right behind the ACK.
      const listening = { profile: 'ivr', digits: true, tones: [TONE] } as const;
      this.#ports.run(this.#ports.media.listen(leg.name, listening));
      leg.accept();
    },
    progressed: () => undefined,
    answered: () => undefined,
    acknowledged: () => undefined,
    failed: (leg) => this.#forget(leg.name),
    ended: (leg) => this.#forget(leg.name),
    held: () => undefined,
    delivered: (leg, _request, server) => leg.respond(server, 200),
    replied: () => undefined,
    broken: (leg) => this.#end(leg),
    stranded: () => undefined,
  };

  #onMediaEvent(leg: string, ticket: Ticket, event: MediaEvent): void {
    const { media, run } = this.#ports;
    if (event.kind === 'tone' && event.edge === 'end') {
      ticket.levelDbm0 = event.levelDbm0;
      const phrases = [{ kind: 'tone', segments: [tone(TONE.hz, ANSWER.ms, ANSWER.dbm0)] }] as const;
      run(media.play(leg, 'tone back', { phrases, over: 'instead' }));
    }
    if (event.kind !== 'digit' || event.edge !== 'end') return;
    const [form, back] =
      event.source === 'rfc4733' ? (['byEvents', 'inband'] as const) : (['byTones', 'rfc4733'] as const);
    const before = event.digit === FIRST ? '' : ticket[form];
    ticket[form] = `${before}${event.digit}`.slice(0, MOST_DIGITS);
    if (event.digit === LAST)
      run(media.sendDigits(leg, `digits ${form}`, { digits: ticket[form], mode: back, ...DIGITS }));
  }

  #end(leg: SipLeg): void {
    leg.end();
    this.#forget(leg.name);
  }

  #forget(name: string): void {
    this.#ticketOf.get(name)?.legs.delete(name);
    this.#ticketOf.delete(name);
  }
}
