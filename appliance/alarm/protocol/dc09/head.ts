import { accountName } from '../sia-data/index.ts';

/** The part of a frame that is never encrypted. */
export interface Dc09Head {
  /** Upper case, without the `*` of an encrypted frame. */
  readonly token: string;
  readonly encrypted: boolean;
  /** Four digits; as received where a panel writes other signs, `0000` where it writes none. */
  readonly sequence: string;
  /** The signs behind R, L and #, as received; null = left out. */
  readonly receiver: string | null;
  readonly line: string | null;
  readonly account: string | null;
  /** Sequence, R, L and account as received: an answer says them again. */
  readonly echo: string;
  /** The head is of another form than the standard's: a warning of its events. */
  readonly isOdd?: true;
}

/** A token, the text between its quote and the bracket, and the length of the token. */
export interface TokenText {
  readonly token: string;
  readonly encrypted: boolean;
  readonly length: number;
}

const TOKEN = /^"(\*?)([A-Z0-9-]{1,16})"/i;
/** Interop: a token that this receiver speaks, with blanks, without its hyphen or its closing quote. */
const ODD_TOKEN = /^"[\s"]*(\*?)[\s"]*(SIA[\s_-]*DCS|ADM[\s_-]*CID|NULL)(?![A-Z-])[\s"]*/i;
/** Another word between quotes: its frame gets DUH with its own sequence and account. */
const OTHER_TOKEN = /^"(\*?)([^"[\]]{0,32})"/;
const SPOKEN: readonly string[] = ['SIA-DCS', 'ADM-CID', 'NULL'];

/** @returns undefined: no token stands behind the quote. */
export function tokenOf(raw: string): (TokenText & { readonly isOdd: boolean }) | undefined {
  const found = TOKEN.exec(raw);
  const exact = found && tokenText(found, found[2] ?? '');
  if (exact !== null && SPOKEN.includes(exact.token)) return { ...exact, isOdd: false };
  const odd = ODD_TOKEN.exec(raw);
  if (odd !== null) {
    const word = odd[2]?.replace(/[\s_-]/g, '') ?? '';
    return { ...tokenText(odd, word.replace(/^(...)(DCS|CID)$/i, '$1-$2')), isOdd: true };
  }
  const other = found ?? OTHER_TOKEN.exec(raw);
  return other === null ? undefined : { ...tokenText(other, other[2] ?? ''), isOdd: found === null };
}

const tokenText = (found: RegExpExecArray, token: string): TokenText => ({
  token: token.toUpperCase(),
  encrypted: found[1] === '*',
  length: found[0].length,
});

/**
 * Interop: a head without L, an L without a number, a sequence in hex, and an account with letters beyond hex are taken;
 * the echo is as received.
 */
const ADDRESS = /^([0-9A-F]{4})(?:R([0-9A-F]{0,6}))?(?:L([0-9A-F]{0,6}))?(?:#([0-9A-Z]{1,16}))?$/i;
/** A NAK belongs to no frame: its account is written without `#`. */
const UNADDRESSED = '0000R0L0A0';
/** Everything else that names a sequence, a receiver, a line and an account in this order. */
const ODD_ADDRESS = /^([^RL#]*)(?:R([^L#]*))?(?:L([^#]*))?(?:#([\s\S]*))?$/i;
/** The account in front of receiver and line. */
const ACCOUNT_FIRST = /^([^RL#]*)#([^#]*?)(?:R([0-9A-F]+)L([0-9A-F]+)|L([0-9A-F]+)R([0-9A-F]+))$/i;
const SEQUENCE = /^[0-9A-Z]{1,8}$/i;

type Address = Pick<Dc09Head, 'sequence' | 'receiver' | 'line' | 'account'> & { readonly isOdd: boolean };

/** Sequence, receiver, line and account in the text between the token and the bracket; it always has an answer. */
export function addressIn(echo: string): Address {
  const exact = ADDRESS.exec(echo === UNADDRESSED ? '0000R0L0' : echo);
  const first = ACCOUNT_FIRST.exec(echo);
  if (first !== null) {
    const [, said = '', account = '', receiver, line, lineFirst, receiverLast] = first;
    return oddAddress(said, receiver ?? receiverLast ?? null, line ?? lineFirst ?? null, account);
  }
  if (exact !== null) {
    const [, sequence = '', receiver = null, line = null, account = null] = exact;
    return { sequence, receiver, line, account, isOdd: false };
  }
  const [, said = '', receiver = null, line = null, account = null] = ODD_ADDRESS.exec(echo) ?? [];
  return oddAddress(said, receiver, line, account);
}

function oddAddress(
  said: string,
  receiver: string | null,
  line: string | null,
  account: string | null,
): Address {
  const sequence = said.trim();
  return {
    sequence: SEQUENCE.test(sequence) ? sequence : '0000',
    receiver: receiver?.trim() ?? null,
    line: line?.trim() ?? null,
    account: accountName((account ?? '').replace(/[|"\]]/g, '')),
    isOdd: true,
  };
}
