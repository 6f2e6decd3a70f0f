import { canonicalName, meantOf, staticCodec } from './codec.ts';
import type { Address, Codec, Direction, Origin, SessionDescription } from './description.ts';
import { deafened } from './direction.ts';

/** Longer ones are left to the grammar; within it no limit of `limit.ts` but that of formats can be met. */
const MOST_SIGNS = 2_048;
const MOST_FORMATS = 64;

/** Attributes that only the grammar reads: keys, ICE, DTLS, names of streams. */
const GRAMMAR_ONLY: ReadonlySet<string> = new Set(
  'crypto label mid group ice-ufrag ice-pwd ice-lite fingerprint setup candidate'.split(' '),
);

interface RtpMap {
  readonly payloadType: number;
  readonly name: string;
  readonly clockRate: number;
  readonly channels: number;
}

/** The values of one level, session or m-line; the description is given up where a value occurs twice. */
interface Level {
  address?: Address | undefined;
  direction?: Direction;
}

/** Thrown away with the attempt. */
const GIVE_UP = undefined;

/**
 * The description that nearly every telephone writes: one audio stream over RTP/AVP, without keys and ICE, lines that end
 * in CRLF, numbers without leading zeros. It is read here in one pass, a tenth of what the grammar costs. Answers
 * undefined for everything else, also for what merely looks odd: the grammar then reads it, and what both read they read
 * alike.
 */
export function readPlainAudio(text: string): SessionDescription | undefined {
  if (text.length > MOST_SIGNS || !text.startsWith('v=0\r\n') || text.includes('\0')) return GIVE_UP;
  const session: Level = {};
  const stream: Level = {};
  const maps: RtpMap[] = [];
  const parameters: (readonly [payloadType: number, text: string])[] = [];
  let origin: Origin | undefined;
  let level = session;
  let formats: readonly string[] | undefined;
  let port = -1;
  let ptimeMs: number | undefined;
  let maxPtimeMs: number | undefined;
  let rtcpPort: number | undefined;
  let rtcpMux = false;

  for (let at = 5, end = 0; at < text.length; at = end + 2) {
    end = text.indexOf('\r', at);
    if (end < at + 2 || text.indexOf('\n', at) !== end + 1 || text.charAt(at + 1) !== '=') return GIVE_UP;
    const kind = text.charAt(at);
    const from = at + 2;
    if (kind === 'o') {
      if (origin !== undefined || formats !== undefined) return GIVE_UP;
      origin = originIn(text, from, end);
      if (origin === undefined) return GIVE_UP;
    } else if (kind === 'c') {
      if (level.address !== undefined) return GIVE_UP;
      level.address = addressIn(text, from, end);
      if (level.address === undefined) return GIVE_UP;
    } else if (kind === 'm') {
      if (formats !== undefined || !text.startsWith('audio ', from)) return GIVE_UP;
      const space = text.indexOf(' ', from + 6);
      port = decimal(text, from + 6, space, 65_535);
      if (port < 0 || !text.startsWith('RTP/AVP ', space + 1)) return GIVE_UP;
      formats = text.slice(space + 9, end).split(' ');
      if (formats.length > MOST_FORMATS) return GIVE_UP;
      level = stream;
    } else if (kind === 'a') {
      const colon = text.indexOf(':', from);
      const bare = colon < 0 || colon > end;
      const name = text.slice(from, bare ? end : colon);
      const valueAt = colon + 1;
      if (name === 'rtpmap') {
        const map = bare || formats === undefined ? undefined : mapIn(text, valueAt, end);
        if (map === undefined) return GIVE_UP;
        maps.push(map);
      } else if (name === 'fmtp') {
        const space = text.indexOf(' ', valueAt);
        const payloadType = bare || formats === undefined ? -1 : decimal(text, valueAt, space, 999);
        if (payloadType < 0 || !isPlain(text, space + 1, end)) return GIVE_UP;
        parameters.push([payloadType, text.slice(space + 1, end)]);
      } else if (name === 'ptime') {
        if (bare || formats === undefined || ptimeMs !== undefined) return GIVE_UP;
        ptimeMs = decimal(text, valueAt, end, 1_000);
        if (ptimeMs < 1) return GIVE_UP;
      } else if (name === 'maxptime') {
        if (bare || formats === undefined || maxPtimeMs !== undefined) return GIVE_UP;
        maxPtimeMs = decimal(text, valueAt, end, 1_000);
        if (maxPtimeMs < 1) return GIVE_UP;
      } else if (name === 'rtcp') {
        if (bare || formats === undefined || rtcpPort !== undefined) return GIVE_UP;
        rtcpPort = decimal(text, valueAt, end, 65_535);
        if (rtcpPort < 1) return GIVE_UP;
      } else if (
        bare &&
        (name === 'sendrecv' || name === 'sendonly' || name === 'recvonly' || name === 'inactive')
      ) {
        if (level.direction !== undefined) return GIVE_UP;
        level.direction = name;
      } else if (bare && name === 'rtcp-mux') {
        if (formats === undefined) return GIVE_UP;
        rtcpMux = true;
      } else if (isRead(name)) return GIVE_UP;
    } else if (kind === 'v' || kind < 'a' || kind > 'z') return GIVE_UP;
  }
  if (formats === undefined) return GIVE_UP;
  const codecs = codecsOf(formats, maps, parameters);
  if (codecs === undefined) return GIVE_UP;
  const address = stream.address ?? session.address;
  const direction = stream.direction ?? session.direction ?? 'sendrecv';
  const held = address?.host === '0.0.0.0' || address?.host === '::';
  return {
    ...(origin !== undefined && { origin }),
    media: [
      {
        kind: 'audio',
        port,
        protocol: 'RTP/AVP',
        formats,
        ...(address !== undefined && { address }),
        direction: held ? deafened(direction) : direction,
        codecs,
        ...(ptimeMs !== undefined && { ptimeMs }),
        ...(maxPtimeMs !== undefined && { maxPtimeMs }),
        crypto: [],
        ...(rtcpPort !== undefined && { rtcpPort }),
        rtcpMux,
      },
    ],
  };
}

/** An attribute of these names that came as far has a form the grammar must judge; others mean nothing to us. */
const isRead = (name: string): boolean =>
  GRAMMAR_ONLY.has(name) ||
  name.includes(' ') ||
  name.includes('\t') ||
  /^(?:rtcp-mux|sendrecv|sendonly|recvonly|inactive)$/.test(name);

/** Number of text[from, to); -1 when it is none, has a leading zero, or is over `most`. */
function decimal(text: string, from: number, to: number, most: number): number {
  if (to <= from || to - from > 9 || (text.charAt(from) === '0' && to - from > 1)) return -1;
  let number = 0;
  for (let i = from; i < to; i++) {
    const digit = text.charCodeAt(i) - 0x30;
    if (digit < 0 || digit > 9) return -1;
    number = number * 10 + digit;
  }
  return number > most ? -1 : number;
}

/** Printable ASCII and spaces only. */
function isPlain(text: string, from: number, to: number): boolean {
  for (let i = from; i < to; i++) {
    const code = text.charCodeAt(i);
    if (code < 0x20 || code > 0x7e) return false;
  }
  return true;
}

/** `IN IP4 host`. */
function addressIn(text: string, from: number, to: number): Address | undefined {
  const family = text.startsWith('IN IP4 ', from) ? 4 : text.startsWith('IN IP6 ', from) ? 6 : undefined;
  const length = to - from - 7;
  if (family === undefined || length < 1 || length > 255) return undefined;
  for (let i = from + 7; i < to; i++) {
    const code = text.charCodeAt(i);
    const fits =
      (code >= 0x30 && code <= 0x39) ||
      ((code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a) ||
      code === 0x2e ||
      code === 0x2d ||
      (code === 0x3a && family === 6);
    if (!fits) return undefined;
  }
  return { family, host: text.slice(from + 7, to) };
}

/** `username id version IN IP4 host`. */
function originIn(text: string, from: number, to: number): Origin | undefined {
  const id = text.indexOf(' ', from) + 1;
  const version = text.indexOf(' ', id) + 1;
  const address = text.indexOf(' ', version) + 1;
  if (id <= from + 1 || version <= id + 1 || address <= version + 1 || address > to) return undefined;
  if (!isPlain(text, from, id) || !isDigits(text, id, version - 1) || !isDigits(text, version, address - 1))
    return undefined;
  const at = addressIn(text, address, to);
  return (
    at && {
      username: text.slice(from, id - 1),
      sessionId: text.slice(id, version - 1),
      version: text.slice(version, address - 1),
      address: at,
    }
  );
}

function isDigits(text: string, from: number, to: number): boolean {
  for (let i = from; i < to; i++) if (text.charCodeAt(i) < 0x30 || text.charCodeAt(i) > 0x39) return false;
  return to > from;
}

/** `101 telephone-event/8000`, `96 opus/48000/2`. */
function mapIn(text: string, from: number, to: number): RtpMap | undefined {
  const space = text.indexOf(' ', from);
  const slash = text.indexOf('/', space);
  const second = text.indexOf('/', slash + 1);
  const rateEnd = second < 0 || second > to ? to : second;
  const payloadType = decimal(text, from, space, 999);
  if (payloadType < 0 || slash <= space + 1 || slash > to) return undefined;
  for (let i = space + 1; i < slash; i++) {
    const code = text.charCodeAt(i);
    const word = (code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a;
    if (!word && !(code >= 0x30 && code <= 0x39) && code !== 0x2d && code !== 0x2e && code !== 0x5f)
      return undefined;
  }
  const clockRate = decimal(text, slash + 1, rateEnd, 999_999);
  const channels = rateEnd === to ? 1 : decimal(text, rateEnd + 1, to, 9);
  if (clockRate < 0 || channels < 0) return undefined;
  return { payloadType, name: canonicalName(text.slice(space + 1, slash)), clockRate, channels };
}

/** In the order of the formats, each once. undefined: an odd format. */
function codecsOf(
  formats: readonly string[],
  maps: readonly RtpMap[],
  parameters: readonly (readonly [number, string])[],
): readonly Codec[] | undefined {
  const codecs: Codec[] = [];
  for (let i = 0; i < formats.length; i++) {
    const format = formats[i] ?? '';
    const payloadType = decimal(format, 0, format.length, 127);
    if (payloadType < 0 || formats.indexOf(format) !== i) return undefined;
    const codec = meantOf(maps, payloadType) ?? staticCodec(payloadType);
    if (codec === undefined) continue;
    const fmtp = parameters.find(([of]) => of === payloadType)?.[1];
    codecs.push(fmtp === undefined ? codec : { ...codec, fmtp });
  }
  return codecs;
}
