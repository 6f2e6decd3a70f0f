import { fail, ok, type Result } from '#shared/result.ts';
import { MOST_CANDIDATES, PWD, UFRAG } from './secure-transport.ts';

/** Media type of what a peer tells of its addresses after its description (RFC 8840 9.1). */
export const ICE_FRAGMENT = 'application/trickle-ice-sdpfrag';

/** Addresses of one ICE session of the peer, found since its description. */
export interface IceFragment {
  /** Which session: names of before a restart are those of another one. */
  readonly ufrag: string;
  /** Never to be logged. */
  readonly pwd: string;
  /** Values of `a=candidate`; all that were found so far, also those sent before (RFC 8840 4.4). */
  readonly candidates: readonly string[];
  /** No others will follow. */
  readonly ended: boolean;
}

/** Chosen: sixty-four candidates of browsers, which are some 120 bytes each, have room twice. */
const LONGEST = 16_384;
/** Chosen: as in descriptions. */
const MOST_SECTIONS = 32;

interface Section {
  ufrag?: string;
  pwd?: string;
  ended: boolean;
  readonly isAudio: boolean;
  readonly candidates: string[];
}

/**
 * Reads the body of an INFO of the package `trickle-ice` (RFC 8840 9.2): names for the whole of it or for one section, and
 * sections that begin with a made-up m-line. Only audio is looked at. An end of candidates before any section holds for all.
 *
 * Errors: `TooLarge`; `Malformed` when no audio section is there, or when one does not name its ICE session.
 */
export function readIceFragment(body: Uint8Array): Result<readonly IceFragment[]> {
  if (body.length > LONGEST) return fail('TooLarge', `a fragment of over ${LONGEST} bytes`);
  const session: Section = sectionOf(false);
  const sections: Section[] = [];
  for (const line of Buffer.from(body)
    .toString('latin1')
    .split(/[\r\n]+/)) {
    if (line.startsWith('m=')) sections.push(sectionOf(line.startsWith('m=audio ')));
    else if (line.startsWith('a=')) note(sections.at(-1) ?? session, line.slice(2));
  }
  if (sections.length > MOST_SECTIONS) return fail('TooLarge', `over ${MOST_SECTIONS} sections`, 'm');
  const fragments: IceFragment[] = [];
  for (const { isAudio, candidates, ended, ufrag = session.ufrag, pwd = session.pwd } of sections) {
    if (!isAudio) continue;
    if (ufrag === undefined || !UFRAG.test(ufrag))
      return fail('Malformed', 'a=ice-ufrag is missing', 'ice-ufrag');
    if (pwd === undefined || !PWD.test(pwd)) return fail('Malformed', 'a=ice-pwd is missing', 'ice-pwd');
    fragments.push({ ufrag, pwd, candidates, ended: ended || session.ended });
  }
  return fragments.length === 0 ? fail('Malformed', 'no audio section stands in it', 'm') : ok(fragments);
}

const sectionOf = (isAudio: boolean): Section => ({ isAudio, ended: false, candidates: [] });

function note(section: Section, attribute: string): void {
  const colon = attribute.indexOf(':');
  const name = colon < 0 ? attribute.trimEnd() : attribute.slice(0, colon);
  const value = attribute.slice(name.length + 1).trim();
  if (name === 'ice-ufrag') section.ufrag = value;
  else if (name === 'ice-pwd') section.pwd = value;
  else if (name === 'end-of-candidates') section.ended = true;
  else if (name === 'candidate' && section.candidates.length < MOST_CANDIDATES)
    section.candidates.push(value);
}
