import type { TimerPorts, TimerScope } from '../../kernel/engine-timers.ts';
import type { KernelPorts } from '../../kernel/port.ts';
import {
  type Atm,
  answerWaitMs,
  atmTime,
  encodeAtm,
  encodeCommand,
  meaningOf,
  type NowIpCommand,
  type NowIpProfile,
} from '../protocol/nowip/index.ts';
import type { DeviceReply, DeviceReplyPath } from '../receiving/adapter/device-reply.ts';
import type { CommandOutcome } from '../voice/index.ts';

type Ports = Pick<KernelPorts, 'clock'> & TimerPorts;

/** Where the commands are said, and the turn that a repetition is done in. */
export interface NowIpOrdersDependencies {
  readonly say: DeviceReply['say'];
  readonly turn: (work: () => void) => void;
}

/** Whom commands go to. */
export interface OrderTo {
  readonly sender: string;
  readonly replyPath: Pick<DeviceReplyPath, 'id'>;
  readonly profile: NowIpProfile;
}

/** Takes the result of a command; `digits` of an answer that has any. */
export type OrderDone = (outcome: CommandOutcome, digits: string | undefined) => void;

interface Order {
  readonly to: OrderTo;
  readonly command: NowIpCommand;
  readonly done: OrderDone;
  tries: number;
  /**
   * For a clear-down: its call ends at this time even if the device does not answer (monotonic ms); undefined: not said
   * yet.
   */
  endMs: number | undefined;
}

/** Chosen: as in BS 8521-1. */
const MOST_TRIES = 4;
/** A busy device is asked again (type 6). */
const BUSY_MS = 1_000;

/** Commands to NOW-IP controllers: of each conversation one at a time, said again until it is answered. */
export class NowIpOrders {
  readonly #ports: Ports;
  readonly #say: DeviceReply['say'];
  /** By whose commands they are; the one under way in front. */
  readonly #orders = new Map<string, Order[]>();
  readonly #timers: TimerScope<'command'>;

  constructor(ports: Ports, { say, turn }: NowIpOrdersDependencies) {
    this.#ports = ports;
    this.#say = say;
    this.#timers = ports.timers.scope((owner) => turn(() => this.#sayFirst(owner)));
  }

  send(owner: string, to: OrderTo, command: NowIpCommand, done: OrderDone): void {
    const waiting = this.#orders.get(owner) ?? [];
    this.#orders.set(owner, [...waiting, { to, command, done, tries: 0, endMs: undefined }]);
    if (waiting.length === 0) this.#sayFirst(owner);
  }

  /** Commands that were not said yet are not said any more. */
  drop(owner: string): void {
    this.#orders.delete(owner);
    this.#timers.stop(owner, 'command');
  }

  /** Takes the answer of a device to a command of ours. */
  onAnswer(sender: string, atm: Atm): void {
    const meaning = meaningOf(atm);
    const owner = [...this.#orders].find(([, orders]) => orders[0]?.to.sender === sender)?.[0];
    if (!meaning.ok || owner === undefined) return;
    const { value } = meaning;
    if (value.kind === 'busy') this.#timers.start(owner, 'command', this.#now() + BUSY_MS);
    else if (value.kind === 'rejected' || (value.kind === 'response' && value.digits === null))
      this.#over(owner, refused('commandNotSupported', 'the device rejected the command'));
    else if (value.kind === 'response' && this.#isNoOutput(owner, value.digits))
      this.#over(owner, refused('commandNotSupported', 'the device has answered that it has no such output'));
    else if (value.kind === 'response') this.#over(owner, { kind: 'done' }, value.digits ?? undefined);
    else if (value.kind === 'acknowledge') this.#over(owner, { kind: 'done' });
  }

  /** Output NN 00. */
  #isNoOutput(owner: string, digits: string | null): boolean {
    return this.#orders.get(owner)?.[0]?.command.kind === 'output' && digits?.endsWith('00') === true;
  }

  /** The command in front, for the first time or again. */
  #sayFirst(owner: string): void {
    const [order] = this.#orders.get(owner) ?? [];
    if (order === undefined) return;
    const nowMs = this.#now();
    if (order.tries >= MOST_TRIES || nowMs >= (order.endMs ?? Number.POSITIVE_INFINITY)) {
      const reason = `the device did not confirm the command in ${order.tries} tries`;
      this.#over(owner, refused('deviceSilent', reason));
      return;
    }
    order.tries++;
    const { type, data } = encodeCommand(order.command);
    const { profile, replyPath } = order.to;
    const { version, mac, emptyText, byeAfterCloseMs } = profile;
    if (order.command.kind === 'clearDown') order.endMs ??= nowMs + byeAfterCloseMs;
    const time = atmTime(this.#ports.clock.wallMs());
    this.#say([replyPath.id], encodeAtm({ version, type, data, time, mac }, emptyText), undefined);
    const untilMs = nowMs + answerWaitMs(order.command, profile);
    this.#timers.start(owner, 'command', Math.min(untilMs, order.endMs ?? untilMs));
  }

  #over(owner: string, outcome: CommandOutcome, digits?: string): void {
    const [order, ...rest] = this.#orders.get(owner) ?? [];
    this.#timers.stop(owner, 'command');
    if (rest.length > 0) this.#orders.set(owner, rest);
    else this.#orders.delete(owner);
    order?.done(outcome, digits);
    if (this.#orders.get(owner)?.[0]?.tries === 0) this.#sayFirst(owner);
  }

  #now(): number {
    return this.#ports.clock.monoMs();
  }
}

const refused = (code: 'commandNotSupported' | 'deviceSilent', reason: string): CommandOutcome => ({
  kind: 'failed',
  code,
  reason,
});
