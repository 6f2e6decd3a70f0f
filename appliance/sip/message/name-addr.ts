import type { Result } from '#shared/result.ts';
import { fromWire, is, LWS, skip, skipQuoted, TOKEN, trimEnd, unquote } from './grammar.ts';
import type { Malformed } from './malformed.ts';
import { NO_PARAMETERS, type Parameter, type Parameters, parameter, scanParameters } from './parameter.ts';
import { parseUri, type Uri } from './uri.ts';

/** `"display" <uri>;parameters` or `uri;parameters` (RFC 3261 20.10): From, To, Contact, Route and their kin. */
export class NameAddr {
  /** The URI as it stood, without angle brackets. */
  readonly uriText: string;
  readonly parameters: Parameters;
  /** A token, as it stood. */
  readonly tag: string | undefined;
  /** Where this value ends in the text it was read from: a comma or the end of the field. */
  readonly end: number;
  readonly #display: string;
  #uri: Result<Uri, Malformed> | undefined;

  constructor(display: string, uriText: string, parameters: Parameters, end: number) {
    this.#display = display;
    this.uriText = uriText;
    this.parameters = parameters;
    this.end = end;
    this.tag = tagOf(parameters);
  }

  /** Display name, unquoted and in UTF-8; '' when there is none. */
  get display(): string {
    return fromWire(unquote(this.#display));
  }

  /** The URI, read at first use. */
  get uri(): Result<Uri, Malformed> {
    this.#uri ??= parseUri(this.uriText);
    return this.#uri;
  }

  /** Value of a header parameter (name in lower case), unquoted; '' for a flag, undefined when absent. */
  parameter(name: string): string | undefined {
    return parameter(this.parameters, name);
  }
}

function tagOf(parameters: Parameters): string | undefined {
  for (const { name, raw } of parameters) if (name === 'tag') return raw;
  return undefined;
}

/** Reads one name-addr or addr-spec with its parameters from text[from, to); undefined when malformed. */
export function parseNameAddr(text: string, from: number, to: number): NameAddr | undefined {
  const start = skip(text, from, to, LWS);
  let open = start;
  let display = '';
  if (text.charCodeAt(start) === 0x22) {
    const past = skipQuoted(text, start, to);
    if (past < 0) return undefined;
    display = text.slice(start, past);
    open = skip(text, past, to, LWS);
    if (text.charCodeAt(open) !== 0x3c) return undefined;
  } else if (text.charCodeAt(start) !== 0x3c) {
    open = skipDisplay(text, start, to);
    if (text.charCodeAt(open) !== 0x3c || open >= to) return addrSpec(text, start, to);
    display = text.slice(start, trimEnd(text, start, open));
  }
  const close = text.indexOf('>', open);
  if (close < 0 || close >= to || !isUriText(text, open + 1, close)) return undefined;
  return withParameters(text, display, text.slice(open + 1, close), close + 1, to);
}

/** Tokens and white space of an unquoted display name. Interop: raw UTF-8 there is taken as it comes. */
function skipDisplay(text: string, from: number, to: number): number {
  let i = from;
  while (i < to && (is(text.charCodeAt(i), TOKEN | LWS) || text.charCodeAt(i) > 0x7f)) i++;
  return i;
}

/** Without angle brackets a semicolon begins header parameters, and comma and `?` are forbidden (20.10). */
function addrSpec(text: string, start: number, to: number): NameAddr | undefined {
  let end = start;
  while (end < to && !';, \t\r\n'.includes(text.charAt(end))) end++;
  const uri = text.slice(start, end);
  if (!uri.includes(':') || uri.includes('?') || !isUriText(text, start, end)) return undefined;
  return withParameters(text, '', uri, end, to);
}

function withParameters(
  text: string,
  display: string,
  uri: string,
  at: number,
  to: number,
): NameAddr | undefined {
  if (at === to) return new NameAddr(display, uri, NO_PARAMETERS, to);
  const parameters: Parameter[] = [];
  const end = scanParameters(text, at, to, parameters);
  if (end < 0 || (end < to && text.charCodeAt(end) !== 0x2c)) return undefined;
  return new NameAddr(display, uri, parameters, end);
}

/** A scheme and then no white space, control sign, quote or angle bracket; the rest is seen when it is read. */
function isUriText(text: string, from: number, to: number): boolean {
  let colon = false;
  for (let i = from; i < to; i++) {
    const code = text.charCodeAt(i);
    if (code <= 0x20 || code === 0x22 || code === 0x3c || code === 0x3e || code === 0x7f) return false;
    if (code === 0x3a) colon ||= i > from;
  }
  return colon;
}
