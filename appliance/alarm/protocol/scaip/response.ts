import { type Failure, fail, ok, type Result } from '#shared/result.ts';
import { readXml, writeXml, type XmlOutput } from '../xml-message/index.ts';
import { MRE, SNU, type Snu } from './element.codes.ts';

/** An answer to a device. Absent elements have the meaning of their default. */
export interface ScaipResponse {
  readonly ref: string;
  /** A peer may send any number; we send those of `SNU`. */
  readonly snu: number;
  /** For people, printable ASCII. */
  readonly statusText?: string;
  /** Version in common; not above that of the request. */
  readonly version?: string;
  /** How speech begins; 0 none. */
  readonly mre?: number;
  /** 1 to 60 minutes, 61 or 62; only with speech. */
  readonly cre?: number;
  /** Addresses to call, `scheme:address`; a bare scheme chooses the medium. */
  readonly tnu?: readonly string[];
  /** Minutes between heartbeats, 1 to 1440. */
  readonly heartbeatMinutes?: number;
}

const OWN_VERSION = '01.00';
const two = (code: number): string => String(code).padStart(2, '0');

/** Writes an answer: `mrs` with what stands in `response` and nothing that equals a default but `mre`. */
export function encodeResponse(response: ScaipResponse): string {
  const { ref, snu, statusText, version, mre, cre, tnu, heartbeatMinutes } = response;
  const content: XmlOutput[] = [
    { name: 'ref', content: ref },
    { name: 'snu', content: String(snu) },
  ];
  const add = (name: string, text: string | undefined) => {
    if (text !== undefined) content.push({ name, content: text });
  };
  add('ste', statusText?.replace(/[^ -~]/g, '?').slice(0, 128));
  if (version !== undefined && version < OWN_VERSION) add('cve', version);
  add('mre', mre?.toString());
  if (mre !== undefined && mre !== MRE.noVoice) add('cre', cre === undefined ? undefined : two(cre));
  for (const number of tnu ?? []) add('tnu', number);
  add('hbi', heartbeatMinutes?.toString());
  return writeXml({ name: 'mrs', content });
}

/** Short answer without speech. */
export const plainResponse = (ref: string, snu: Snu, statusText?: string): ScaipResponse => ({
  ref,
  snu,
  ...(snu === SNU.ok && { mre: MRE.noVoice }),
  ...(statusText !== undefined && { statusText }),
});

/** Reads the answer of a centre, as the sender needs it. Defaults: mre 0, cre 61. */
export function decodeResponse(body: Uint8Array | string): Result<ScaipResponse, Failure<'Malformed'>> {
  const xml = readXml(body);
  if (!xml.ok) return fail('Malformed', xml.error.reason);
  if (xml.value.name.toLowerCase() !== 'mrs') return fail('Malformed', 'root element is not mrs');
  const text = (name: string) => xml.value.children.find((child) => child.name === name)?.text || undefined;
  const number = (name: string) => {
    const digits = text(name);
    return digits !== undefined && /^\d{1,4}$/.test(digits) ? Number(digits) : undefined;
  };
  const ref = text('ref');
  const snu = number('snu');
  if (ref === undefined) return fail('Malformed', 'no ref', '/ref');
  if (snu === undefined) return fail('Malformed', 'no snu, or not a number', '/snu');
  const tnu = xml.value.children.filter(({ name }) => name === 'tnu').map((child) => child.text);
  const statusText = text('ste');
  const version = text('cve');
  const heartbeatMinutes = number('hbi');
  return ok({
    ref,
    snu,
    mre: number('mre') ?? MRE.noVoice,
    cre: number('cre') ?? 61,
    ...(tnu.length > 0 && { tnu }),
    ...(statusText !== undefined && { statusText }),
    ...(version !== undefined && { version }),
    ...(heartbeatMinutes !== undefined && { heartbeatMinutes }),
  });
}
