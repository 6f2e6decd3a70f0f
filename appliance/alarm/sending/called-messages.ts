import type { DeviceCommand } from '#shared/alarm-event/index.ts';
import type { Reach } from '../../call/trunk/index.ts';
import type { KernelPorts } from '../../kernel/port.ts';
import type { TraceBook } from '../../kernel/trace-book.ts';
import type { Contact } from '../../registration/registration-desk.ts';
import type { Flow } from '../../sip/endpoint/index.ts';
import type { SipRequest } from '../../sip/message/index.ts';
import { NowIpOrders, type OrderTo } from '../nowip/nowip-orders.ts';
import type { ProfileBook } from '../profile/index.ts';
import { commandFor, decodeAtm, meaningOf } from '../protocol/nowip/index.ts';
import type { DeviceReply } from '../receiving/device-reply.ts';
import type { CommandOutcome } from '../voice/index.ts';
import { userOf } from './talk-relay.ts';

export interface CalledMessagesParts {
  readonly reply: Pick<DeviceReply, 'open' | 'say'>;
  readonly reach: Reach;
  readonly contactOf: (device: string) => Contact | undefined;
  readonly profiles: Pick<ProfileBook, 'nowip' | 'nowIpController'>;
}

/** A NOW-IP device on the line, and who has called it. */
export interface CalledLine {
  readonly protocol: 'nowip' | 'nowipcontroller';
  /** SIP URIs: its own, and ours as it sees us. */
  readonly device: string;
  readonly us: string;
  readonly trace: TraceBook;
}

interface Line extends CalledLine {
  /** Address that our commands went to: answers come from there. */
  remote: string | undefined;
}

const CONTENT_TYPE = 'application/xml';
/** Answers of a device; whatever else it says is for others. */
const ANSWERS: readonly string[] = ['acknowledge', 'rejected', 'busy', 'response'];

/**
 * Commands of NOW-IP to devices that we have called (BS 8521-2): messages beside the call, to the contact of a registered
 * device, else where its address leads; said again until it answers.
 */
export class CalledMessages {
  readonly #ports: KernelPorts;
  readonly #parts: CalledMessagesParts;
  readonly #lines = new Map<string, Line>();
  readonly #orders: NowIpOrders;

  constructor(ports: KernelPorts, parts: CalledMessagesParts) {
    this.#ports = ports;
    this.#parts = parts;
    this.#orders = new NowIpOrders(ports, { say: ([id = ''], xml) => this.#say(id, xml) });
  }

  get nextDueMs(): number | undefined {
    return this.#orders.nextDueMs;
  }

  advance(nowMs: number, turn: (work: () => void) => void): void {
    this.#orders.advance(nowMs, turn);
  }

  open(id: string, line: CalledLine): void {
    this.#lines.set(id, { ...line, remote: undefined });
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
    const { profiles } = this.#parts;
    const profile = line.protocol === 'nowip' ? profiles.nowip() : profiles.nowIpController();
    const found = commandFor(command, profile);
    if (!found.ok) done({ kind: 'failed', code: 'commandNotSupported', reason: found.error.reason });
    else {
      const to: OrderTo = { sender: id, way: { id }, profile };
      this.#orders.send(id, to, found.value, (outcome) => done(outcome));
    }
  }

  /** An answer of a device to a command; false: the message is for somebody else. */
  take(request: SipRequest, flow: Flow, turn: (work: () => void) => void): boolean {
    if (this.#lines.size === 0) return false;
    const from = userOf(request.from.uriText).toLowerCase();
    const to = userOf(request.to.uriText).toLowerCase();
    const found = [...this.#lines].find(
      ([, { device, us, remote }]) =>
        remote === flow.remoteAddress &&
        userOf(device).toLowerCase() === from &&
        userOf(us).toLowerCase() === to,
    );
    const atm = found === undefined ? undefined : decodeAtm(request.body);
    if (found === undefined || atm?.ok !== true) return false;
    const meaning = meaningOf(atm.value);
    if (!meaning.ok || !ANSWERS.includes(meaning.value.kind)) return false;
    turn(() => this.#orders.heard(found[0], atm.value));
    return true;
  }

  #say(id: string, xml: string): void {
    const line = this.#lines.get(id);
    if (line !== undefined) this.#ports.run(this.#send(line, xml));
  }

  async #send(line: Line, xml: string): Promise<void> {
    const { reply, reach, contactOf } = this.#parts;
    const { device, us, trace } = line;
    const contact = contactOf(device);
    const flow = contact?.flow ?? (await reach.open(contact?.hop ?? device));
    const opened = 'ok' in flow ? flow : { ok: true as const, value: flow };
    if (!opened.ok) {
      // It is said again in its time, and then `deviceSilent`.
      trace.add('deviceUnreached', { reason: opened.error.reason });
      return;
    }
    line.remote = opened.value.remoteAddress;
    const way = reply.open({
      flow: opened.value,
      device,
      us,
      contentType: CONTENT_TYPE,
      waiting: undefined,
    });
    reply.say([way.id], xml, trace);
  }
}
