import type { RemoteCrypto } from '#shared/contract/callback/index.ts';
import { type AddressPolicy, plainIp } from '#shared/matching/index.ts';
import { fail, ok, type Result } from '#shared/result.ts';
import type { LegStream, VoiceCodec } from '../../media/control/index.ts';
import { EVENT_DIGITS } from '../../media/dtmf/index.ts';
import { inlineKey, MASTER_BYTES, readCrypto, type SrtpOffer, TAG_BYTES } from '../../media/rtp/index.ts';

/** Where the application hears, as an operation says it (media document 4.2). */
export interface FarEnd {
  readonly codec: VoiceCodec;
  readonly receiveIp: string;
  readonly receivePort: number;
  readonly telephoneEventPayloadType?: number | undefined;
  readonly crypto?: readonly RemoteCrypto[] | undefined;
}

export interface Settled {
  readonly stream: LegStream;
  /** Where the application sends its RTP: ours, of the family that it speaks. */
  readonly address: string;
  readonly family: Family;
  /** Our key, when it is SRTP. */
  readonly crypto?: readonly RemoteCrypto[];
}

export type Family = 4 | 6;

/** Where audio of an application may go, and where it comes in. */
export interface AudioRoutes {
  /** Why audio must not be sent to an address. */
  readonly policy: AddressPolicy;
  /** Our address towards that one; undefined: this host has none of its family. */
  readonly addressTowards: (remote: string) => string | undefined;
}

/** Our side of the audio with an application. */
export interface NearEnd extends AudioRoutes {
  /** Symmetric RTP: its audio may come from elsewhere, and ours goes there. */
  readonly latching: boolean;
  readonly random: (length: number) => Uint8Array;
}

/** Payload type under which we take digits; we send them under the one that the application names. */
export const EVENT_TYPE = 101;
/** RFC 3551 table 4. */
const PAYLOAD_TYPE: Readonly<Record<VoiceCodec, number>> = { PCMU: 0, GSM: 3, PCMA: 8 };

/** @returns the family of an address; a name counts as IPv4 */
export const familyOf = (host: string): Family => (host.includes(':') ? 6 : 4);

/** A key for each suite we speak, the strongest first: the application may take one of them. */
export const newKeys = (random: (length: number) => Uint8Array): readonly RemoteCrypto[] =>
  Object.keys(TAG_BYTES).map((suite, index) => ({
    id: index + 1,
    suite,
    config: inlineKey(random(MASTER_BYTES)),
  }));

/**
 * Settles the audio with the application: in answer to `offered` keys of ours, it takes one of them (RFC 4568 5.1.3);
 * where it is the one that offers, we take its first that we can use (5.1.2) and answer with a new key.
 */
export function settle(
  end: FarEnd,
  near: NearEnd,
  offered?: readonly RemoteCrypto[],
): Result<Settled, { readonly code: 'invalid'; readonly reason: string; readonly path?: string }> {
  const { codec, receiveIp, receivePort: port, telephoneEventPayloadType: send, crypto = [] } = end;
  const host = plainIp(receiveIp);
  const against = near.policy(host, port);
  if (against !== undefined) return fail('invalid', `receiveIp: ${against}`, '/receiveIp');
  const family = familyOf(host);
  const address = near.addressTowards(host);
  if (address === undefined) return fail('invalid', `receiveIp: ${noRoute(host, family)}`, '/receiveIp');
  const named = { payloadType: PAYLOAD_TYPE[codec], codec };
  const stream: LegStream = {
    remote: { host, port, rtcpPort: port + 1 },
    rtcpMux: false,
    direction: 'sendrecv',
    send: named,
    receive: [named],
    latching: near.latching,
    latchHosts: [host],
    // The offer names the number, and the answer repeats it (RFC 3264 6.1).
    ...(send !== undefined && {
      telephoneEvent: { send, receive: offered === undefined ? send : EVENT_TYPE, digits: EVENT_DIGITS },
    }),
  };
  if (crypto.length === 0) return ok({ stream, address, family });
  for (const theirs of crypto) {
    const read = readCrypto({ tag: theirs.id, suite: theirs.suite, keys: theirs.config });
    const ours = read.ok ? ourKey(read.value, near.random, offered) : undefined;
    if (!read.ok || ours === undefined) continue;
    const { suite, tag: id, master: receiveKey } = read.value;
    return ok({
      ...{ address, family },
      stream: { ...stream, srtp: { suite, sendKey: ours, receiveKey } },
      crypto: [{ id, suite, config: inlineKey(ours) }],
    });
  }
  return fail('invalid', wrongKeys(offered), '/crypto');
}

function ourKey(
  { tag, suite }: SrtpOffer,
  random: (length: number) => Uint8Array,
  offered: readonly RemoteCrypto[] | undefined,
): Uint8Array | undefined {
  if (offered === undefined) return Uint8Array.from(random(MASTER_BYTES));
  const line = offered.find((each) => each.id === tag && each.suite === suite);
  const read = line && readCrypto({ tag, suite, keys: line.config });
  return read?.ok === true ? read.value.master : undefined;
}

const noRoute = (host: string, family: Family): string =>
  `this host has no IPv${family} address that leads to ${host}; name an IPv${family === 6 ? 4 : 6} address, or give the host one of IPv${family}`;

const wrongKeys = (offered: readonly RemoteCrypto[] | undefined): string =>
  offered === undefined
    ? `crypto has no key that can be used; a suite must be ${Object.keys(TAG_BYTES).join(' or ')}, its config inline: and 30 bytes in base64`
    : 'crypto takes none of the keys of newRemoteCall; repeat id and suite of one of them, with a key of your own';
