import { createCipheriv, createDecipheriv, createSecretKey } from 'node:crypto';
import {
  accountOf,
  DC09_PROFILE,
  type Dc09Message,
  type Dc09Setting,
  LinkTable,
  type LinkTableEffect,
  type Sealing,
} from '#appliance/alarm/protocol/dc09/index.ts';
import { FrameReader } from '#appliance/alarm/protocol/framed-ip/index.ts';
import { accountKey } from '#shared/matching/index.ts';
import { ACCOUNTS, KEY, KEYED, START_MS } from './damage.ts';

/** One for all frames: to make one from bytes takes longer than the cipher. */
const SECRET = createSecretKey(KEY);

const sealing: Sealing = {
  aes: {
    encrypt: (_key, iv, plain) => {
      const cipher = createCipheriv('aes-128-cbc', SECRET, iv).setAutoPadding(false);
      return Buffer.concat([cipher.update(plain), cipher.final()]);
    },
    decrypt: (_key, iv, bytes) => {
      const cipher = createDecipheriv('aes-128-cbc', SECRET, iv).setAutoPadding(false);
      return Buffer.concat([cipher.update(bytes), cipher.final()]);
    },
  },
  random: (length) => new Uint8Array(length).fill(49),
};

/** Everything that came of one input. */
export interface Outcome {
  /** Tokens of the answers. */
  readonly answers: string[];
  /** Heads of the answers: between token and bracket. */
  readonly echoes: string[];
  readonly events: (LinkTableEffect & { type: 'event' })[];
  /** Broken frames, and every other effect by its type: what the log or a person is given. */
  readonly reports: string[];
}

const UNKNOWN: Dc09Setting = { scope: 's', profile: DC09_PROFILE };
const PLAIN: Dc09Setting = { ...UNKNOWN, deliverUnreadable: true };
const SEALED: Dc09Setting = { ...PLAIN, key: KEY };
const SETTINGS = new Map<string, Dc09Setting>([
  ...ACCOUNTS.map((account) => [accountKey(account), PLAIN] as const),
  ...KEYED.map((account) => [accountKey(account), SEALED] as const),
]);

/** As the adapter settles it: by the account that the frame names. */
const settingOf = (message: Dc09Message): Dc09Setting =>
  SETTINGS.get(accountKey(accountOf(message) ?? '')) ?? UNKNOWN;

/** Codec and decision of the receiver without sockets and sessions; the disk stores at once. */
export class PureReceiver {
  readonly #links = new LinkTable(sealing);
  wallMs = START_MS;
  #at = 0;

  receive({ segments, ends }: { readonly segments: readonly Uint8Array[]; readonly ends: boolean }): Outcome {
    const outcome: Outcome = { answers: [], echoes: [], events: [], reports: [] };
    const reader = new FrameReader(2_048);
    for (const segment of segments) this.#outcomes(reader.push(segment), outcome);
    if (ends || reader.unfinished) this.#outcomes(reader.end(), outcome);
    return outcome;
  }

  /** Far enough that no frame of before is remembered. */
  next(): void {
    this.#at += 700_000;
    this.wallMs += 700_000;
  }

  #outcomes(found: ReturnType<FrameReader['push']>, outcome: Outcome): void {
    for (const one of found) {
      if (one.kind === 'broken') outcome.reports.push(`broken ${one.why}`);
      else this.#perform(this.#links.receive(one.frame, this.#context()), outcome);
    }
  }

  #context() {
    return { at: this.#at, wallMs: this.wallMs, to: 'w', address: '192.0.2.60', settingOf };
  }

  #perform(effects: readonly LinkTableEffect[], outcome: Outcome): void {
    for (const effect of effects) {
      if (effect.type === 'answer') {
        outcome.answers.push(effect.token);
        outcome.echoes.push(headOf(effect.bytes));
      } else if (effect.type === 'event') {
        outcome.events.push(effect);
        const { frame, ordinal, link } = effect;
        const stored = { type: 'stored' as const, at: this.#at, wallMs: this.wallMs, frame, ordinal };
        if (link !== null) this.#perform(this.#links.input(link, stored), outcome);
      } else outcome.reports.push(effect.type);
    }
  }
}

const headOf = (bytes: Uint8Array): string =>
  /^\n.{8}"\*?\w+"([^[]*)\[/s.exec(Buffer.from(bytes).toString('latin1'))?.[1] ?? '';
