import type { QueuePorts } from '../../../delivery/command-queue.ts';
import type { PlatformAlarms } from '../../../delivery/platform-alarms.ts';
import type { KernelPorts } from '../../../kernel/port.ts';
import { ReportMemory } from '../../../kernel/report-memory.ts';
import type { TenantPorts } from '../../../replica/index.ts';
import { accountOf, addressOf, type Dc09Message } from '../../protocol/dc09/index.ts';
import type { FrameBridge } from '../../receiver/index.ts';
import type { FrameReplyPath } from './frame-reply-path.ts';

/** Where a frame came in. `message`: undefined for a frame without a token. */
export interface FrameArrival {
  readonly message: Dc09Message | undefined;
  readonly bridge: FrameBridge | undefined;
  readonly replyPath: FrameReplyPath;
}

const DAY_MS = 86_400_000;

/** Platform alarms about frames: each of them once in a while for an account, not with each frame. */
export class FrameAlarms {
  readonly #ports: KernelPorts & TenantPorts & QueuePorts;
  readonly #alarms: PlatformAlarms;
  readonly #reported = new ReportMemory();
  readonly #reportedToday = new ReportMemory(DAY_MS);

  constructor(ports: KernelPorts & TenantPorts & QueuePorts, alarms: PlatformAlarms) {
    this.#ports = ports;
    this.#alarms = alarms;
  }

  /** No receiver takes this address: no answer, so that the panel uses its next receiver. */
  noReceiver(message: Dc09Message, replyPath: FrameReplyPath): void {
    const address = addressOf(message);
    if (!this.#isDue('noReceiver', address)) return;
    const reason = `no alarm bridge of protocol dc09 matches ${address}; provision one, or correct its destinationMatch`;
    this.#alarms.raise({
      type: 'serviceAlarm',
      error: 'noReceiver',
      errorDetails: { reason, account: accountOf(message), sourceIp: replyPath.sourceIp },
    });
  }

  /** The content of a frame that got DUH or NAK is lost at this receiver. */
  rejected(account: string, reason: string, arrival: FrameArrival): void {
    const sender = account === '' ? arrival.replyPath.sourceIp : account;
    if (this.#isDue('dc09Rejected', sender)) this.#raise('dc09Rejected', account, { reason }, arrival);
  }

  /** The data of a frame names no event: its format is to be set right, although it is delivered. */
  unreadable(account: string, reason: string, arrival: FrameArrival): void {
    const nowMs = this.#ports.clock.monoMs();
    if (!this.#reportedToday.report('dc09Unreadable', account, nowMs)) return;
    const remedy =
      'set the panel to SIA-DCS or ADM-CID; further ones of this day are delivered without an alarm';
    this.#raise('dc09Unreadable', account, { reason, remedy, raw: arrival.message?.raw }, arrival);
  }

  /** A SIP request names its device by its URI, a frame by receiver, line and account. */
  authError(account: string, reason: string, { message, replyPath }: FrameArrival): void {
    if (!this.#isDue('authError', account)) return;
    const method = `DC-09 ${replyPath.transport}`;
    const requestUri = message === undefined ? '' : addressOf(message);
    const said = { deviceId: account, reason, method, requestUri };
    if (!this.#alarms.raise({ type: 'authError', ...said, sourceIp: replyPath.sourceIp })) return;
    this.#ports.queue?.tell('alarm', { event: 'authError', domain: this.#ports.tenant().domain, ...said });
  }

  #raise(
    error: 'dc09Rejected' | 'dc09Unreadable',
    account: string,
    details: { readonly reason: string; readonly [fact: string]: unknown },
    { bridge, replyPath }: FrameArrival,
  ): void {
    this.#alarms.raise({
      type: 'serviceAlarm',
      error,
      errorDetails: { ...details, account, sourceIp: replyPath.sourceIp },
      ...(account !== '' && { deviceId: account }),
      ...(bridge !== undefined && { alarmBridgeId: bridge.id }),
    });
  }

  #isDue(error: string, sender: string): boolean {
    return this.#reported.report(error, sender, this.#ports.clock.monoMs());
  }
}
