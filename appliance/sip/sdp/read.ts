import {
  type SessionDescription as Grammar,
  type MediaDescription as GrammarMedia,
  parse,
} from 'sdp-transform';
import { ok, type Result } from '#shared/result.ts';
import { canonicalName, meantOf, staticCodec } from './codec.ts';
import { readCrypto } from './crypto.ts';
import type {
  Address,
  Codec,
  CryptoLine,
  Direction,
  MediaDescription,
  Origin,
  SessionDescription,
} from './description.ts';
import { deafened } from './direction.ts';
import { DEFAULT_SDP_LIMIT, type SdpLimit } from './limit.ts';
import { usableLines } from './line.ts';
import { readPlainAudio } from './plain-audio.ts';
import { refuse, type SdpRefusal } from './refusal.ts';
import { isDtlsProfile, type TransportLine, transportLines } from './secure-transport.ts';

type MediaResult = Result<MediaDescription, SdpRefusal>;

/*
 *   bytes ─┬─ one audio stream of the usual form: readPlainAudio ──────▶ SessionDescription
 *          └─ usableLines ─ sdp-transform ─ readMedia, per m-line ────▶ SessionDescription
 *             limits, form,   the grammar     our types, every value checked again:
 *             what we use                     the grammar drops what it cannot read, without a word
 */

/** Reads a session description (RFC 8866). Never throws. */
export function parseSdp(
  body: Uint8Array | string,
  limit: SdpLimit = DEFAULT_SDP_LIMIT,
): Result<SessionDescription, SdpRefusal> {
  if (body.length > limit.size) return refuse('TooLarge', `session description over ${limit.size} bytes`);
  const text =
    typeof body === 'string'
      ? body
      : Buffer.from(body.buffer, body.byteOffset, body.length).toString('latin1');
  const plain = limit === DEFAULT_SDP_LIMIT ? readPlainAudio(text) : undefined;
  return plain === undefined ? readByGrammar(text, limit) : ok(plain);
}

/** Every description within the limits; `readPlainAudio` reads the usual ones alike. */
export function readByGrammar(
  text: string,
  limit: SdpLimit = DEFAULT_SDP_LIMIT,
): Result<SessionDescription, SdpRefusal> {
  const lines = usableLines(text, limit);
  if (!lines.ok) return lines;
  const grammar = parse(lines.value);
  const media: MediaDescription[] = [];
  const transports = transportLines(text);
  for (const [index, section] of grammar.media.entries()) {
    const read = readMedia(section, grammar, limit);
    if (!read.ok) return read;
    media.push({ ...read.value, ...secured(transports[index]) });
  }
  const origin = readOrigin(grammar);
  return ok({ ...(origin === undefined ? {} : { origin }), media });
}

const secured = (line: TransportLine | undefined): Partial<MediaDescription> =>
  line?.transport === undefined ? {} : { transport: line.transport, bundled: line.bundled };

function readOrigin({ origin }: Grammar): Origin | undefined {
  if (origin === undefined || origin.address === undefined) return undefined;
  const address = readAddress(origin.ipVer, String(origin.address));
  if (address === undefined) return undefined;
  const { username, sessionId, sessionVersion } = origin;
  return {
    username: String(username),
    sessionId: String(sessionId),
    version: String(sessionVersion),
    address,
  };
}

/** The grammar makes numbers of whatever looks like one, so texts are made texts again here. */
function readMedia(section: GrammarMedia, session: Grammar, limit: SdpLimit): MediaResult {
  const { type: kind, port, protocol } = section;
  if (kind === undefined || protocol === undefined || !isPort(port))
    return refuse('Malformed', 'm= has a kind, a port and a protocol', 'm');
  const formats = String(section.payloads ?? '')
    .split(' ')
    .filter((format) => format !== '');
  if (String(kind) === '' || String(protocol) === '' || formats.length === 0)
    return refuse('Malformed', 'm= names at least one format', 'm');
  if (formats.length > limit.formats) return refuse('TooLarge', `over ${limit.formats} formats`, 'm');
  const connection = section.connection ?? session.connection;
  const address =
    connection === undefined ? undefined : readAddress(connection.version, String(connection.ip));
  const direction = directionIn(section) ?? directionIn(session) ?? 'sendrecv';
  return ok({
    kind: String(kind),
    port,
    protocol: String(protocol).toUpperCase(),
    formats,
    ...(address === undefined ? {} : { address }),
    direction: isHeld(address, String(protocol)) ? deafened(direction) : direction,
    codecs: readCodecs(formats, section),
    ...optional('ptimeMs', milliseconds(section.ptime ?? session.ptime)),
    ...optional('maxPtimeMs', milliseconds(section.maxptime ?? session.maxptime)),
    crypto: readCryptoLines(section),
    ...optional(
      'rtcpPort',
      isPort(section.rtcp?.port) && section.rtcp.port > 0 ? section.rtcp.port : undefined,
    ),
    rtcpMux: section.rtcpMux !== undefined,
    ...optional('label', textOf(section.label)),
    ...optional('mid', textOf(section.mid)),
  });
}

/** Session-level ptime is not in the library's types; the grammar still reads it. */
declare module 'sdp-transform' {
  interface SessionAttributes {
    ptime?: number;
    maxptime?: number;
  }
}

/** The readable codecs of the format list, in its order. A format without a name we know of is left out. */
function readCodecs(formats: readonly string[], section: GrammarMedia): readonly Codec[] {
  const found: Codec[] = [];
  const maps = section.rtp.map(
    ({ payload, codec, rate, encoding }): Codec => ({
      payloadType: payload,
      name: canonicalName(String(codec)),
      clockRate: Number(rate ?? 8_000),
      channels: Number(encoding ?? 1),
    }),
  );
  for (const format of new Set(formats)) {
    const payloadType = /^\d{1,3}$/.test(format) ? Number(format) : 128;
    if (payloadType > 127) continue;
    const fmtp = section.fmtp.find((each) => each.payload === payloadType)?.config;
    const codec = meantOf(maps, payloadType) ?? staticCodec(payloadType);
    if (codec !== undefined) found.push(fmtp === undefined ? codec : { ...codec, fmtp: String(fmtp) });
  }
  return found;
}

/** Session parameters stand behind the key, where the grammar reads the first of them only. */
const readCryptoLines = (section: GrammarMedia): readonly CryptoLine[] =>
  (section.crypto ?? [])
    .filter(({ sessionConfig }) => sessionConfig === undefined)
    .map(({ id, suite, config }) => readCrypto(id, String(suite), String(config)))
    .filter((line) => line !== undefined);

const DIRECTIONS: readonly string[] = ['sendrecv', 'sendonly', 'recvonly', 'inactive'];
const directionIn = (section: { direction?: unknown }): Direction | undefined =>
  DIRECTIONS.includes(String(section.direction)) ? (section.direction as Direction) : undefined;

/** Multicast (`/ttl`) and anything with other signs than addresses and host names have is no address of ours. */
function readAddress(version: unknown, host: string): Address | undefined {
  if (version !== 4 && version !== 6) return undefined;
  const form = version === 4 ? /^[A-Za-z0-9.-]{1,255}$/ : /^[A-Za-z0-9.:-]{1,255}$/;
  return form.test(host) ? { family: version, host } : undefined;
}

/**
 * RFC 3264 8.4 and 5.1: `0.0.0.0`, for IPv6 by analogy `::`. A WebRTC stream says so, too, while it has no candidate
 * (RFC 8840 4.1.1), and means nothing by it.
 */
const isHeld = (address: Address | undefined, protocol: string): boolean =>
  address !== undefined &&
  (address.host === '0.0.0.0' || address.host === '::') &&
  !isDtlsProfile(protocol.toUpperCase());

const isPort = (port: unknown): port is number =>
  typeof port === 'number' && Number.isInteger(port) && port >= 0 && port <= 65_535;

const milliseconds = (value: unknown): number | undefined => {
  const number = Number(value);
  return value !== undefined && number > 0 && number <= 1_000 ? number : undefined;
};

const textOf = (value: unknown): string | undefined => (value === undefined ? undefined : String(value));

const optional = <K extends string, T>(key: K, value: T | undefined): { readonly [key in K]?: T } =>
  value === undefined ? {} : ({ [key]: value } as { readonly [key in K]?: T });
