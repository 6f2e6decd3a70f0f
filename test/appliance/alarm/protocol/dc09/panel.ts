import { createCipheriv, createDecipheriv } from 'node:crypto';
import {
  DC09_PROFILE,
  type Dc09Setting,
  LinkTable,
  type LinkTableEffect,
  type Sealing,
} from '#appliance/alarm/protocol/dc09/index.ts';
import { encodeFrame, readDatagram } from '#appliance/alarm/protocol/framed-ip/index.ts';

const nameOf = (key: Uint8Array) => `aes-${key.length * 8}-cbc`;

/** The real cipher; padding comes out as `x`, so that sealed texts can be compared. */
export const sealing: Sealing = {
  aes: {
    encrypt: (key, iv, plain) => {
      const cipher = createCipheriv(nameOf(key), key, iv).setAutoPadding(false);
      return Buffer.concat([cipher.update(plain), cipher.final()]);
    },
    decrypt: (key, iv, bytes) => {
      const cipher = createDecipheriv(nameOf(key), key, iv).setAutoPadding(false);
      return Buffer.concat([cipher.update(bytes), cipher.final()]);
    },
  },
  random: (length) => new Uint8Array(length).fill(49),
};

/** CRC, length and body without LF and CR, as the vectors write frames. */
export const written = (frame: Uint8Array): string => Buffer.from(frame).toString('latin1').slice(1, -1);

/** A whole frame around a body. */
export const framed = (body: string): Uint8Array => encodeFrame(Buffer.from(body, 'latin1'));

export type Found = { readonly type: LinkTableEffect['type'] } & Record<string, unknown>;

/** A receiver with a disk that obeys, and a clock that the test sets. */
export class TestReceiver {
  readonly links = new LinkTable(sealing);
  at = 1_000_000;
  address = '192.0.2.60';
  wallMs = Date.parse('2026-09-25T14:12:04Z');
  setting: Dc09Setting = { scope: 's', profile: DC09_PROFILE };
  disk: 'stores' | 'fails' | 'waits' = 'stores';
  readonly effects: LinkTableEffect[] = [];

  /** Gives the bytes of a datagram to the receiver; answers come back as the vectors write them. */
  send(bytes: Uint8Array, connection = 'w'): string[] {
    const before = this.effects.length;
    for (const one of readDatagram(bytes)) {
      if (one.kind !== 'frame') continue;
      this.#perform(
        this.links.receive(one.frame, {
          at: this.at,
          wallMs: this.wallMs,
          to: connection,
          address: this.address,
          settingOf: () => this.setting,
        }),
      );
    }
    return this.answers(before);
  }

  /** Settles an event that waited. */
  settle(effect: LinkTableEffect, type: 'stored' | 'storeFailed'): string[] {
    const before = this.effects.length;
    if (effect.type === 'event' && effect.link !== null) {
      const { frame, ordinal } = effect;
      this.#perform(
        this.links.input(effect.link, { type, at: this.at, wallMs: this.wallMs, frame, ordinal }),
      );
    }
    return this.answers(before);
  }

  answers(from = 0): string[] {
    return this.effects.slice(from).flatMap((one) => (one.type === 'answer' ? [written(one.bytes)] : []));
  }

  of<T extends LinkTableEffect['type']>(type: T): Extract<LinkTableEffect, { type: T }>[] {
    return this.effects.filter((one): one is Extract<LinkTableEffect, { type: T }> => one.type === type);
  }

  #perform(effects: readonly LinkTableEffect[]): void {
    for (const effect of effects) {
      this.effects.push(effect);
      if (effect.type === 'event' && this.disk !== 'waits') {
        this.settle(effect, this.disk === 'stores' ? 'stored' : 'storeFailed');
      }
    }
  }
}
