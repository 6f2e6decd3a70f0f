/**
 * How one side of a WebRTC stream is reached and known: the attributes of ICE (RFC 8839) and DTLS-SRTP (RFC 5763), as
 * values. The part that opens the leg interprets the values.
 */
export interface SecureTransport {
  readonly ufrag: string;
  /** Never to be logged. */
  readonly pwd: string;
  readonly iceLite: boolean;
  /** Values of `a=fingerprint`. */
  readonly fingerprints: readonly string[];
  readonly setup: 'actpass' | 'active' | 'passive';
  /** Values of `a=candidate`. */
  readonly candidates: readonly string[];
  /** Value of `a=ssrc` with its cname (RFC 5576 4.1): some servers take no packets of a stream that was not announced. */
  readonly source?: string;
}

/** Every m-line, in order: its transport, and whether `a=group:BUNDLE` names it (RFC 9143). */
export interface TransportLine {
  readonly transport?: SecureTransport;
  readonly bundled: boolean;
}

/**
 * The most candidates of a description, and of those that follow it. Chosen: browsers with many interfaces offer some twenty;
 * no peer has this many.
 */
export const MOST_CANDIDATES = 64;
const MOST_FINGERPRINTS = 8;

/** RFC 8839 5.4: `ice-char`, at least 4 and 22 of them. */
export const UFRAG = /^[A-Za-z0-9+/]{4,256}$/;
export const PWD = /^[A-Za-z0-9+/]{22,256}$/;

/** The values read from a section; the session's own attributes hold for every m-line that has none. */
interface Section {
  ufrag?: string;
  pwd?: string;
  setup?: string;
  mid?: string;
  readonly fingerprints: string[];
  readonly candidates: string[];
}

/**
 * Reads these attributes without the grammar, whose patterns for them are slow on made-up text and keep one fingerprint
 * only. An m-line that lacks any of ufrag, pwd, fingerprint or setup has no transport.
 *
 * @param text within the limits already; lines end in CR, LF or both
 */
export function transportLines(text: string): readonly TransportLine[] {
  const session: Section = { fingerprints: [], candidates: [] };
  const sections: Section[] = [];
  let bundle: readonly string[] = [];
  let iceLite = false;
  for (const line of text.split(/[\r\n]+/)) {
    if (line.startsWith('m=')) sections.push({ fingerprints: [], candidates: [] });
    if (!line.startsWith('a=')) continue;
    const colon = line.indexOf(':');
    const name = colon < 0 ? line.slice(2).trimEnd() : line.slice(2, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).trim();
    if (name === 'ice-lite') iceLite = true;
    else if (name === 'group') bundle = value.startsWith('BUNDLE ') ? value.slice(7).split(/ +/) : bundle;
    else note(sections.at(-1) ?? session, name, value);
  }
  return sections.map((section) => {
    const transport = transportOf(section, session, iceLite);
    const bundled = section.mid !== undefined && bundle.includes(section.mid);
    return transport === undefined ? { bundled } : { transport, bundled };
  });
}

function note(section: Section, name: string, value: string): void {
  if (name === 'ice-ufrag') section.ufrag = value;
  else if (name === 'ice-pwd') section.pwd = value;
  else if (name === 'setup') section.setup = value;
  else if (name === 'mid') section.mid = value;
  else if (name === 'fingerprint' && section.fingerprints.length < MOST_FINGERPRINTS)
    section.fingerprints.push(value);
  else if (name === 'candidate' && section.candidates.length < MOST_CANDIDATES)
    section.candidates.push(value);
}

function transportOf(section: Section, session: Section, iceLite: boolean): SecureTransport | undefined {
  const ufrag = section.ufrag ?? session.ufrag ?? '';
  const pwd = section.pwd ?? session.pwd ?? '';
  const setup = section.setup ?? session.setup;
  const fingerprints = section.fingerprints.length > 0 ? section.fingerprints : session.fingerprints;
  if (!UFRAG.test(ufrag) || !PWD.test(pwd) || fingerprints.length === 0) return undefined;
  if (setup !== 'actpass' && setup !== 'active' && setup !== 'passive') return undefined;
  return { ufrag, pwd, iceLite, fingerprints, setup, candidates: section.candidates };
}

/** RFC 5764 8: the profiles whose keys come from a DTLS handshake. Browsers say the one with feedback, F. */
export const isDtlsProfile = (protocol: string): boolean =>
  protocol === 'UDP/TLS/RTP/SAVPF' || protocol === 'UDP/TLS/RTP/SAVP';

export const DTLS_PROFILE = 'UDP/TLS/RTP/SAVPF';

/**
 * Its attributes as lines. One of several fingerprints is enough for the peer to know us. All our candidates stand in it, and
 * later ones of the peer are taken: half trickle (RFC 8838 16, RFC 8840 4.1.1).
 */
export function transportText({
  ufrag,
  pwd,
  fingerprints,
  setup,
  candidates,
  source,
}: SecureTransport): string {
  const lines = [
    `ice-ufrag:${ufrag}`,
    `ice-pwd:${pwd}`,
    'ice-options:trickle',
    `fingerprint:${fingerprints[0] ?? ''}`,
    `setup:${setup}`,
    ...candidates.map((candidate) => `candidate:${candidate}`),
    'end-of-candidates',
    ...(source === undefined ? [] : [`ssrc:${source}`]),
  ];
  return lines.map((line) => `a=${line}\r\n`).join('');
}
