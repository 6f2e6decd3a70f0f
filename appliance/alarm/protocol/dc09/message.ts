import { type Failure, fail, ok, type Result } from '#shared/result.ts';
import { decodeText, encodeText } from './windows-1252.ts';

/*
 *   "token" sequence R… L… #account [ data ] [xdata]… _time          plain
 *   "*token"sequence R… L… #account [ cipher text in hex             encrypted, no closing bracket
 */

/** The part of a frame that is never encrypted. */
export interface Dc09Head {
  /** Upper case, without the `*` of an encrypted frame. */
  readonly token: string;
  readonly encrypted: boolean;
  /** Four digits. */
  readonly sequence: string;
  /** Hex digits behind R, L and #, as received; null = left out. */
  readonly receiver: string | null;
  readonly line: string | null;
  readonly account: string | null;
  /** Sequence, R, L and account as received: an answer says them again. */
  readonly echo: string;
}

export interface Dc09Message {
  readonly head: Dc09Head;
  /** Behind the first bracket: content as text, or cipher text as hex. */
  readonly body: string;
  /** Everything from the first quote on. */
  readonly raw: string;
}

/** Head and everything behind its bracket, to write. */
export interface Dc09Form {
  readonly token: string;
  readonly encrypted?: boolean;
  readonly sequence: string;
  readonly receiver?: string;
  /** `0` when unused: L is mandatory. */
  readonly line: string;
  readonly account?: string;
}

/** Tokens of a receiver; nobody answers an answer. */
export const ANSWER_TOKENS: readonly string[] = ['ACK', 'NAK', 'DUH', 'RSP'];

const TOKEN = /^"(\*?)([A-Z0-9-]{1,16})"/i;
/** Interop: a head without L is taken; the echo then has none either. */
const ADDRESS = /^(\d{4})(?:R([0-9A-F]{1,6}))?(?:L([0-9A-F]{1,6}))?(?:#([0-9A-F]{1,16}))?$/i;
/** A NAK belongs to no frame: its account is written without `#`. */
const NOBODY = '0000R0L0A0';

/** Reads the body of a frame up to the first bracket. */
export function decodeMessage(frameBody: Uint8Array): Result<Dc09Message, Failure<'Malformed'>> {
  const raw = decodeText(frameBody);
  const token = TOKEN.exec(raw);
  const bracket = raw.indexOf('[');
  if (token === null || bracket === -1) return fail('Malformed', 'no token or no bracket');
  const echo = raw.slice(token[0].length, bracket);
  const address = ADDRESS.exec(echo === NOBODY ? '0000R0L0' : echo);
  if (address === null) return fail('Malformed', 'sequence, receiver, line or account cannot be read');
  const [, sequence = '', receiver = null, line = null, account = null] = address;
  return ok({
    head: {
      token: (token[2] ?? '').toUpperCase(),
      encrypted: token[1] === '*',
      sequence,
      receiver,
      line,
      account,
      echo,
    },
    body: raw.slice(bracket + 1),
    raw,
  });
}

/** The body of a frame. `behindBracket`: content with its closing bracket, or cipher text as hex. */
export function encodeMessage(form: Dc09Form | Dc09Head, behindBracket: string): Uint8Array {
  const star = form.encrypted === true ? '*' : '';
  const echo = 'echo' in form ? form.echo : echoOf(form);
  return encodeText(`"${star}${form.token}"${echo}[${behindBracket}`);
}

/** What `destinationMatch` of a receiver is matched against; absent parts are empty. */
export const addressOf = ({ receiver, line, account }: Dc09Head): string =>
  `R${receiver ?? ''}L${line ?? ''}#${account ?? ''}`;

/** 0001 to 9999, then 0001 again. */
export const nextSequence = (sequence: string): string =>
  String((Number(sequence) % 9999) + 1).padStart(4, '0');

const echoOf = ({ sequence, receiver, line, account }: Dc09Form): string =>
  `${sequence}${receiver === undefined ? '' : `R${receiver}`}L${line}${account === undefined ? '' : `#${account}`}`;
