import { type Failure, fail, ok, type Result } from '#shared/result.ts';
import { accountName } from '../sia-data/index.ts';
import { addressIn, type Dc09Head, tokenOf } from './head.ts';
import { decodeText, encodeText } from './text.ts';

/*
 *   "token" sequence R… L… #account [ data ] [xdata]… _time          plain
 *   "*token"sequence R… L… #account [ cipher text in hex             encrypted, no closing bracket
 */

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

/** Tokens whose frames carry events. */
export const EVENT_TOKENS: readonly string[] = ['SIA-DCS', 'ADM-CID'];
/** Tokens of a receiver; an answer gets no answer. */
export const ANSWER_TOKENS: readonly string[] = ['ACK', 'NAK', 'DUH', 'RSP'];

/** Interop: the account of plain data without the bracket before it. */
const DATA_BEGINS = /#[^#|[\]]{1,32}\|/;
const DATA_ACCOUNT = /^[\s[]*#?([^|[\]]{1,40})\|/;

/** Reads the body of a frame up to the first bracket. Malformed: no token stands behind its quote. */
export function decodeMessage(frameBody: Uint8Array): Result<Dc09Message, Failure<'Malformed'>> {
  const raw = decodeText(frameBody);
  const token = tokenOf(raw);
  if (token === undefined) return fail('Malformed', 'no token between quotes');
  const behindToken = raw.slice(token.length);
  // A bar before the bracket belongs to data whose bracket is absent; cipher text has none.
  const [bracket] = (token.encrypted ? /\[/ : /\[|\]|\|(?!\[)/).exec(behindToken) ?? [];
  if (bracket === undefined && !EVENT_TOKENS.includes(token.token) && token.token !== 'NULL') {
    return fail('Malformed', `no bracket behind the token ${token.token}`);
  }
  const length = bracket === '[' ? behindToken.indexOf('[') : headLength(behindToken);
  const echo = behindToken.slice(0, length);
  const { isOdd, ...address } = addressIn(echo);
  return ok({
    head: {
      token: token.token,
      encrypted: token.encrypted,
      ...address,
      echo: echo.replace(/[^ -~]/g, ''),
      ...((token.isOdd || isOdd || bracket !== '[') && { isOdd: true }),
    },
    body: behindToken.slice(bracket === '[' ? length + 1 : length),
    raw,
  });
}

/** Interop: without a bracket the data begins at its account, else the head is all there is. */
function headLength(text: string): number {
  const data = text.search(DATA_BEGINS);
  const end = text.search(/[\]|_]/);
  return data !== -1 ? data : end !== -1 ? end : text.length;
}

/** The account of a frame: that of its head, else that of its plain data. */
export function accountOf({ head, body }: Dc09Message): string | null {
  if (head.account !== null || head.encrypted) return head.account;
  const inData = DATA_ACCOUNT.exec(body)?.[1];
  return inData === undefined ? null : accountName(inData);
}

/** The body of a frame. `behindBracket`: content with its closing bracket, or cipher text as hex. */
export function encodeMessage(form: Dc09Form | Dc09Head, behindBracket: string): Uint8Array {
  const star = form.encrypted === true ? '*' : '';
  const echo = 'echo' in form ? form.echo : echoOf(form);
  return encodeText(`"${star}${form.token}"${echo}[${behindBracket}`);
}

/** The text that `destinationMatch` of a receiver is matched against; absent parts are empty. */
export const addressOf = (message: Dc09Message): string => {
  const { receiver, line } = message.head;
  return `R${receiver ?? ''}L${line ?? ''}#${accountOf(message) ?? ''}`;
};

/** 0001 to 9999, then 0001 again. */
export const nextSequence = (sequence: string): string =>
  String((Number(sequence) % 9999) + 1).padStart(4, '0');

const echoOf = ({ sequence, receiver, line, account }: Dc09Form): string =>
  `${sequence}${receiver === undefined ? '' : `R${receiver}`}L${line}${account === undefined ? '' : `#${account}`}`;
