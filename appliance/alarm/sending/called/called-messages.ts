import { addressUserOf } from '#shared/address-user.ts';
import type { DeviceCommand } from '#shared/alarm-event/index.ts';
import type { TimerPorts } from '../../../kernel/engine-timers.ts';
import type { KernelPorts } from '../../../kernel/port.ts';
import type { SessionTrace } from '../../../kernel/session-trace.ts';
import { type Contact, leadsTo, type Place, placesOf } from '../../../registration/device-place.ts';
import type { Registrations } from '../../../registration/registrations.ts';
import type { Flow } from '../../../sip/endpoint/index.ts';
import type { SipRequest } from '../../../sip/message/index.ts';
import { NowIpOrders, type OrderTo } from '../../nowip/nowip-orders.ts';
import type { ProfileTables } from '../../profile/index.ts';
import { commandFor, decodeAtm, meaningOf } from '../../protocol/nowip/index.ts';
import type { DeviceReply } from '../../receiving/adapter/device-reply.ts';
import type { CommandOutcome } from '../../voice/index.ts';

export interface CalledMessagesDependencies {
  readonly reply: Pick<DeviceReply, 'sayAt'>;
  readonly registrations: Pick<Registrations, 'contactsOf'>;
  readonly profiles: Pick<ProfileTables, 'nowip' | 'nowIpController'>;
  readonly turn: (work: () => void) => void;
}

/** A NOW-IP device on the line, and who has called it. */
export interface CalledLine {
  readonly protocol: 'nowip' | 'nowipcontroller';
  /** SIP URIs: its own, and ours as it sees us. */
  readonly device: string;
  readonly us: string;
  /** The way of its call, once it has answered. */
  readonly flow: () => Flow | undefined;
  readonly trace: SessionTrace;
}

interface Line extends CalledLine {
  /** Addresses that our commands went to: answers come from there. */
  readonly remotes: Set<string>;
}

const CONTENT_TYPE = 'application/xml';
/** Answers of a device; whatever else it says is for others. */
const ANSWERS: readonly string[] = ['acknowledge', 'rejected', 'busy', 'response'];

/**
 * Commands of NOW-IP to devices that we have called (BS 8521-2): messages beside the call, to the contact that is in
 * the call, then to the others of a registered device, else where its address leads; said again until it answers.
 */
export class CalledMessages {
  readonly #dependencies: CalledMessagesDependencies;
  readonly #lines = new Map<string, Line>();
  readonly #orders: NowIpOrders;

  constructor(ports: KernelPorts & TimerPorts, dependencies: CalledMessagesDependencies) {
    this.#dependencies = dependencies;
    this.#orders = new NowIpOrders(ports, {
      say: ([id = ''], xml) => this.#say(id, xml),
      turn: dependencies.turn,
    });
  }

  open(id: string, line: CalledLine): void {
    this.#lines.set(id, { ...line, remotes: new Set() });
  }

  /** Its call is over. */
  close(id: string): void {
    this.#lines.delete(id);
    this.#orders.drop(id);
  }

  command(id: string, command: DeviceCommand, done: (outcome: CommandOutcome) => void): void {
    const line = this.#lines.get(id);
    if (line === undefined) {
      done({ kind: 'failed', code: 'noVoiceCall', reason: 'the call of the device is over' });
      return;
    }
    const { profiles } = this.#dependencies;
    const profile = line.protocol === 'nowip' ? profiles.nowip() : profiles.nowIpController();
    const found = commandFor(command, profile);
    if (!found.ok) done({ kind: 'failed', code: 'commandNotSupported', reason: found.error.reason });
    else if (found.value === undefined) done({ kind: 'done' });
    else {
      const to: OrderTo = { sender: id, replyPath: { id }, profile };
      this.#orders.send(id, to, found.value, (outcome) => done(outcome));
    }
  }

  /**
   * An answer of a device to a command.
   * @returns false when the message is no such answer
   */
  take(request: SipRequest, flow: Flow): boolean {
    if (this.#lines.size === 0) return false;
    const from = addressUserOf(request.from.uriText).toLowerCase();
    const to = addressUserOf(request.to.uriText).toLowerCase();
    const found = [...this.#lines].find(
      ([, { device, us, remotes }]) =>
        remotes.has(flow.remoteAddress) &&
        addressUserOf(device).toLowerCase() === from &&
        addressUserOf(us).toLowerCase() === to,
    );
    const atm = found === undefined ? undefined : decodeAtm(request.body);
    if (found === undefined || atm?.ok !== true) return false;
    const meaning = meaningOf(atm.value);
    if (!meaning.ok || !ANSWERS.includes(meaning.value.kind)) return false;
    this.#dependencies.turn(() => this.#orders.onAnswer(found[0], atm.value));
    return true;
  }

  /** It is said again in its time, and then `deviceSilent`. */
  #say(id: string, xml: string): void {
    const line = this.#lines.get(id);
    if (line === undefined) return;
    const { reply, registrations } = this.#dependencies;
    const { device, us, trace, flow, remotes } = line;
    const contacts = registrations.contactsOf(addressUserOf(device));
    // Several telephones may bear one name: the call is with one of them.
    const inCall = flow();
    const isInCall = (contact: Contact): boolean => inCall !== undefined && leadsTo(inCall, contact.flow);
    const places = placesOf(contacts.toSorted((a, b) => Number(isInCall(b)) - Number(isInCall(a))));
    const elsewhere: Place = { uri: device, routes: [], hop: device };
    reply.sayAt(
      places.length === 0 ? [elsewhere] : places,
      { device, us, contentType: CONTENT_TYPE },
      xml,
      trace,
      ({ remoteAddress }) => remotes.add(remoteAddress),
    );
  }
}
