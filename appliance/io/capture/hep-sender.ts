import { createSocket, type Socket } from 'node:dgram';
import { lookup } from 'node:dns/promises';
import { type CapturedMessage, hepPacket } from '../../capture/index.ts';

export interface HepSetting {
  readonly host: string;
  readonly port: number;
  /** Why this address is refused; undefined: it may be sent to. The same rules as for callbacks. */
  readonly policy: (address: string, port: number) => string | undefined;
  readonly ownAddress: string;
  /** Capture agent in each packet, by which a server tells hosts apart. */
  readonly agent: number;
  readonly nowMs: () => number;
  /** A sentence when the server cannot be sent to; once until it can again. */
  readonly failed: (reason: string) => void;
}

/** How long an address is believed, ms. */
const BELIEVED_MS = 60_000;
/** Bytes that wait in the socket; a capture server is no reason to use memory. */
const MOST_WAITING_BYTES = 1024 * 1024;

/**
 * Sends SIP messages, their secrets replaced, to a Homer server. HEP goes over UDP and asks for no answer: what is lost is lost, and
 * nothing waits for it.
 */
export class HepSender {
  readonly #setting: HepSetting;
  #socket: Socket | undefined;
  #address: string | undefined;
  #untilMs = 0;
  #isLooking = false;
  #isFailed = false;

  constructor(setting: HepSetting) {
    this.#setting = setting;
  }

  /** `message` without its secrets. Messages that come before the address is known are not sent. */
  send(message: CapturedMessage): void {
    const { agent, ownAddress, port, nowMs } = this.#setting;
    if (nowMs() >= this.#untilMs && !this.#isLooking) void this.look();
    const socket = this.#socket;
    if (socket === undefined || this.#address === undefined) return;
    if (socket.getSendQueueSize() > MOST_WAITING_BYTES) return;
    const packet = hepPacket(message, agent, ownAddress);
    if (packet !== undefined) socket.send(packet, port, this.#address, () => undefined);
  }

  /** Finds the address and judges it. */
  async look(): Promise<void> {
    const { host, port, policy, nowMs } = this.#setting;
    this.#isLooking = true;
    try {
      const found = await lookup(host, { all: true });
      const refusal = found.map(({ address }) => policy(address, port)).find((each) => each !== undefined);
      if (refusal !== undefined) throw new Error(refusal);
      const [first] = found;
      if (first === undefined) throw new Error('the name has no address');
      this.#open(first.family === 6 ? 'udp6' : 'udp4');
      this.#address = first.address;
      this.#isFailed = false;
    } catch (cause) {
      this.#address = undefined;
      if (!this.#isFailed) this.#setting.failed(cause instanceof Error ? cause.message : String(cause));
      this.#isFailed = true;
    } finally {
      this.#untilMs = nowMs() + BELIEVED_MS;
      this.#isLooking = false;
    }
  }

  close(): void {
    this.#socket?.close();
    this.#socket = undefined;
    this.#untilMs = Number.POSITIVE_INFINITY;
  }

  #open(type: 'udp4' | 'udp6'): void {
    if (this.#socket !== undefined) return;
    this.#socket = createSocket({ type });
    this.#socket.on('error', () => undefined);
    this.#socket.unref();
  }
}
