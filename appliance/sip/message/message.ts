import { fail, ok, type Result } from '#shared/result.ts';
import { type FieldIndex, MOST_VALUES } from './field-index.ts';
import { FIELD } from './field-name.ts';
import { decimal, fromWire, LWS, skip, TOKEN } from './grammar.ts';
import type { Malformed } from './malformed.ts';
import { type NameAddr, parseNameAddr } from './name-addr.ts';
import { parseUri, type Uri } from './uri.ts';
import { parseVia, type Via } from './via.ts';

export interface CSeq {
  /** Below 2^31 (RFC 3261 8.1.1.5). */
  readonly seq: number;
  readonly method: string;
}

/** The fields no message may lack; read and checked once by `parseMessage`. */
export interface Essentials {
  readonly topVia: Via;
  readonly from: NameAddr;
  readonly to: NameAddr;
  readonly callId: string;
  readonly cseq: CSeq;
  readonly maxForwards: number | undefined;
  readonly bodyAt: number;
  readonly bodyEnd: number;
}

/** Largest `delta-seconds` (RFC 3261 20.19): 2^32 - 1. */
const MAX_SECONDS = 4_294_967_295;

const BROKEN_TYPE = '';

/** The common part of requests and responses. Fields beyond the essential ones are read when asked for. */
abstract class Message {
  readonly fields: FieldIndex;
  readonly topVia: Via;
  readonly from: NameAddr;
  readonly to: NameAddr;
  readonly callId: string;
  readonly cseq: CSeq;
  /** 0 to 255; undefined when an RFC 2543 peer left it out. */
  readonly maxForwards: number | undefined;
  readonly #bytes: Buffer;
  readonly #bodyAt: number;
  readonly #bodyEnd: number;
  /** Read when it is asked for. */
  #contentType: string | undefined;

  constructor(bytes: Buffer, fields: FieldIndex, essentials: Essentials) {
    this.fields = fields;
    this.topVia = essentials.topVia;
    this.from = essentials.from;
    this.to = essentials.to;
    this.callId = essentials.callId;
    this.cseq = essentials.cseq;
    this.maxForwards = essentials.maxForwards;
    this.#bytes = bytes;
    this.#bodyAt = essentials.bodyAt;
    this.#bodyEnd = essentials.bodyEnd;
  }

  /** The body: a view on the received bytes, not a copy. */
  get body(): Buffer {
    return this.#bytes.subarray(this.#bodyAt, this.#bodyEnd);
  }

  /** Equal bodies have equal hashes; 32 bits. */
  get bodyHash(): number {
    return hashOf(this.#bytes, this.#bodyAt, this.#bodyEnd);
  }

  get contentLength(): number {
    return this.#bodyEnd - this.#bodyAt;
  }

  /** The whole message as received; one that was repaired, as it was read. */
  get bytes(): Buffer {
    return this.#bytes;
  }

  /** Media type in lower case without parameters (`application/scaip+xml`); undefined when absent or broken. */
  get contentType(): string | undefined {
    this.#contentType ??= this.#readContentType() ?? BROKEN_TYPE;
    return this.#contentType === BROKEN_TYPE ? undefined : this.#contentType;
  }

  #readContentType(): string | undefined {
    const raw = this.fields.rawOf(FIELD.contentType);
    if (raw === undefined) return undefined;
    const typeEnd = skip(raw, 0, raw.length, TOKEN);
    const slash = skip(raw, typeEnd, raw.length, LWS);
    const subtype = skip(raw, slash + 1, raw.length, LWS);
    const end = skip(raw, subtype, raw.length, TOKEN);
    if (typeEnd === 0 || raw.charCodeAt(slash) !== 0x2f || end === subtype) return undefined;
    return `${raw.slice(0, typeEnd)}/${raw.slice(subtype, end)}`.toLowerCase();
  }

  /** Seconds. Interop: a broken Expires counts as absent (RFC 3261 20.19 leaves the choice to the element). */
  get expires(): number | undefined {
    const raw = this.fields.rawOf(FIELD.expires);
    const seconds = raw === undefined ? -1 : decimal(raw, 0, raw.length, MAX_SECONDS);
    return seconds < 0 ? undefined : seconds;
  }

  /** First value of a field by its full or compact name, in any case; UTF-8, unfolded. */
  header(name: string): string | undefined {
    return this.fields.value(name);
  }

  /** One entry per header line of this name: for fields whose values hold commas, such as Authorization. */
  headers(name: string): string[] {
    return this.fields.values(name);
  }

  /** Every value of a list field (Supported, Require, Allow, Accept …), however it was spread over lines. */
  list(name: string): string[] {
    return this.fields.list(name);
  }

  /** All Via values, the top one first. */
  get vias(): Result<readonly Via[], Malformed> {
    const row = this.fields.find(FIELD.via);
    const single = this.topVia.end >= this.fields.valueEnd(row) && this.fields.find(FIELD.via, row + 1) < 0;
    if (single) return ok([this.topVia]);
    return this.#every('Via', FIELD.via, parseVia);
  }

  get contacts(): Result<readonly NameAddr[], Malformed> {
    return this.#every('Contact', FIELD.contact, parseNameAddr);
  }

  /** Does a Contact field stand as `*` (REGISTER that removes every binding, RFC 3261 10.2.2)? */
  get contactStar(): boolean {
    return this.fields.rawOf(FIELD.contact) === '*';
  }

  get routes(): Result<readonly NameAddr[], Malformed> {
    return this.#every('Route', FIELD.route, parseNameAddr);
  }

  get recordRoutes(): Result<readonly NameAddr[], Malformed> {
    return this.#every('Record-Route', FIELD.recordRoute, parseNameAddr);
  }

  /** Reads every value of a list of name-addr by any field name, e.g. `Path`, `P-Asserted-Identity`. */
  nameAddrs(name: string): Result<readonly NameAddr[], Malformed> {
    const rows: number[] = [];
    for (let row = this.fields.findName(name); row >= 0; row = this.fields.findName(name, row + 1))
      rows.push(row);
    return this.#parseRows(name, rows, parseNameAddr);
  }

  #every<T extends { readonly end: number }>(
    name: string,
    field: number,
    parse: (text: string, from: number, to: number) => T | undefined,
  ): Result<readonly T[], Malformed> {
    if (field === FIELD.contact && this.contactStar) return ok([]);
    const rows: number[] = [];
    for (let row = this.fields.find(field); row >= 0; row = this.fields.find(field, row + 1)) rows.push(row);
    return this.#parseRows(name, rows, parse);
  }

  #parseRows<T extends { readonly end: number }>(
    name: string,
    rows: readonly number[],
    parse: (text: string, from: number, to: number) => T | undefined,
  ): Result<readonly T[], Malformed> {
    const found: T[] = [];
    for (const row of rows) {
      const to = this.fields.valueEnd(row);
      let at = this.fields.valueAt(row);
      for (;;) {
        const value = parse(this.fields.text, at, to);
        if (value === undefined) return fail('Malformed', `${name} breaks the grammar`, name);
        if (found.length === MOST_VALUES)
          return fail('Malformed', `${name} has more than ${MOST_VALUES} values`, name);
        found.push(value);
        if (value.end >= to) break;
        at = value.end + 1;
      }
    }
    return ok(found);
  }
}

export class SipRequest extends Message {
  readonly kind = 'request';
  readonly method: string;
  /** Request-URI as wire text. */
  readonly uriText: string;
  /** Places of a MESSAGE that broke the grammar and were repaired (`repairMessage`). */
  readonly warnings: readonly string[];
  #uri: Result<Uri, Malformed> | undefined;

  constructor(
    method: string,
    uriText: string,
    bytes: Buffer,
    fields: FieldIndex,
    essentials: Essentials,
    warnings: readonly string[] = [],
  ) {
    super(bytes, fields, essentials);
    this.method = method;
    this.uriText = uriText;
    this.warnings = warnings;
  }

  /** Request-URI, read at first use. */
  get uri(): Result<Uri, Malformed> {
    this.#uri ??= parseUri(this.uriText);
    return this.#uri;
  }
}

export class SipResponse extends Message {
  readonly kind = 'response';
  /** 100 to 699. */
  readonly status: number;
  readonly #reason: string;

  constructor(status: number, reason: string, bytes: Buffer, fields: FieldIndex, essentials: Essentials) {
    super(bytes, fields, essentials);
    this.status = status;
    this.#reason = reason;
  }

  /** Reason phrase in UTF-8; may be empty (RFC 4475 3.1.1.13). */
  get reason(): string {
    return fromWire(this.#reason);
  }
}

export type SipMessage = SipRequest | SipResponse;

/** Four bytes at a time; each step gives other values for other words, so bodies that differ in one word never have the same hash. */
function hashOf(bytes: Uint8Array, from: number, to: number): number {
  let hash = to - from;
  let at = from;
  for (; at + 4 <= to; at += 4) {
    const word =
      (bytes[at] ?? 0) |
      ((bytes[at + 1] ?? 0) << 8) |
      ((bytes[at + 2] ?? 0) << 16) |
      ((bytes[at + 3] ?? 0) << 24);
    hash = Math.imul(hash ^ word, 0x9e3779b1);
    hash ^= hash >>> 15;
  }
  for (; at < to; at++) hash = Math.imul(hash ^ (bytes[at] ?? 0), 0x01000193);
  return hash;
}
