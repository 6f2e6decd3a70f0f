import type { Frame } from '../framed-ip/index.ts';
import { duhWithoutAccount } from './answer.ts';
import { accountOf, type Dc09Message, decodeMessage } from './message.ts';
import type { Dc09Setting } from './profile.ts';
import { initial, type Link, type LinkSnapshot, restore, snapshot, step } from './receiver.ts';
import type { LinkEffect, LinkInput } from './receiver-state.ts';
import type { Sealing } from './seal.ts';

/** An effect and the link it belongs to; null: a frame whose head could not be read. */
export type LinkTableEffect = LinkEffect & { readonly link: string | null };

export interface FrameContext {
  /** Monotonic ms. */
  readonly at: number;
  /** Epoch ms: compared with the time of the frame. */
  readonly wallMs: number;
  /** Way back: names the connection or the address of the datagram. */
  readonly to: string;
  /** IP address it came from. */
  readonly address: string;
  /** Values of the account that the frame names, or of the receiver where it names none. */
  readonly settingOf: (message: Dc09Message) => Dc09Setting;
}

/** The links of a host, by destination and account. Only links with frames to remember are kept. */
export class LinkTable {
  readonly #sealing: Sealing;
  /** Least recently used first. */
  readonly #links = new Map<string, Link>();

  constructor(sealing: Sealing) {
    this.#sealing = sealing;
  }

  get size(): number {
    return this.#links.size;
  }

  /** One frame with a right CRC, as the engine gives it. */
  receive(frame: Frame, { at, wallMs, to, address, settingOf }: FrameContext): readonly LinkTableEffect[] {
    this.#forget(at);
    const message = decodeMessage(frame.body);
    if (!message.ok) {
      return [
        { link: null, type: 'trace', text: `a frame gets DUH: ${message.error.reason}` },
        { link: null, type: 'answer', to: [to], token: 'DUH', bytes: duhWithoutAccount() },
        { link: null, type: 'rejected', account: '', reason: message.error.reason },
      ];
    }
    const setting = settingOf(message.value);
    const account = (accountOf(message.value) ?? '').toUpperCase();
    const { crc, lengthOk } = frame;
    return this.#step(linkName(setting.scope, account), account, {
      type: 'frame',
      at,
      wallMs,
      to,
      address,
      message: message.value,
      crc,
      lengthOk,
      setting,
    });
  }

  /** The fate of an event that this table gave out. */
  input(link: string, input: Exclude<LinkInput, { type: 'frame' }>): readonly LinkTableEffect[] {
    const known = this.#links.get(link);
    return known === undefined ? [] : this.#step(link, known.account, input);
  }

  /** The data to keep on the disk so that repeats are known after a restart. */
  keep(link: string, at: number): LinkSnapshot | undefined {
    const known = this.#links.get(link);
    return known && snapshot(known, at);
  }

  restore(link: string, kept: LinkSnapshot, at: number): void {
    const known = restore(kept, at);
    if (known !== undefined) this.#links.set(link, known);
  }

  #step(name: string, account: string, input: LinkInput): readonly LinkTableEffect[] {
    const { state, effects } = step(this.#links.get(name) ?? initial(account), input, this.#sealing);
    this.#links.delete(name);
    if (state.taken.length > 0) this.#links.set(name, state);
    return effects.map((effect) => ({ ...effect, link: name }));
  }

  /** Links none of whose frames is remembered any more; those used last cannot be the first to go. */
  #forget(at: number): void {
    for (const [name, { taken }] of this.#links) {
      if (taken.some(({ untilMs, unstored }) => untilMs > at || unstored.length > 0)) return;
      this.#links.delete(name);
    }
  }
}

const linkName = (scope: string, account: string): string => `${scope}\n${account}`;
