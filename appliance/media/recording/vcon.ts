import type { Transcript } from './transcript.ts';

/**
 * The vCon of an audit recording: who took part, what was recorded, which digits passed and, where a recogniser transcribes
 * recordings, which words. Shape of runtime document 2, section 6; where it is silent, draft-ietf-vcon-vcon-core (section 4).
 */

/** Version of the JSON form; the draft keeps the field for readers of earlier ones. */
const VERSION = '0.4.0';
/** Chosen: names what is ours beyond the draft: the uuid and label of a dialog, the type of a party, measured digits. */
const EXTENSION = 'alarm_audit';
/** The analysis names who made it, and the form of its body. */
const VENDOR = 'carillon';
const TRANSCRIPT_FORM = 'carillon-transcript-1';

/** The course of a call; times in ms since 1970. */
export interface VconInfo {
  readonly uuid: string;
  readonly subject?: string;
  readonly createdAtMs: number;
  readonly parties: readonly VconParty[];
  readonly dialogs: readonly VconDialog[];
}

export interface VconParty {
  readonly name?: string;
  /** The participantId. */
  readonly uuid: string;
  /** `device`, `operator`, `ivr` … */
  readonly type?: string;
  /** SIP URI. */
  readonly sip?: string;
}

/** One recorded stretch of the call, in one file. */
export interface VconDialog {
  /** The connectionId. */
  readonly uuid: string;
  readonly startMs: number;
  readonly durationMs: number;
  /** Indexes into the parties, in the order of the file's channels. */
  readonly parties: readonly number[];
  readonly originator?: number;
  readonly label?: string;
  readonly file: string;
  readonly url: string;
  /** SHA-512 of the file, or its SHA-256 where that is what was made while it was written. */
  readonly sha512?: Uint8Array;
  readonly sha256?: Uint8Array;
  readonly digits: readonly VconDigit[];
  /** Channels of its lines are the parties in their order. */
  readonly transcript?: Transcript | undefined;
}

/** `direction` is seen from us: `receive` came from that party. */
export interface VconDigit {
  readonly party: number;
  readonly direction: 'send' | 'receive';
  readonly digit: string;
  /** From the beginning of the recording. */
  readonly offsetMs: number;
  readonly durationMs: number;
  readonly toneType: 'inaudio' | '2833';
}

/** The document as it is sent: JSON. */
export interface Vcon {
  readonly vcon: string;
  readonly uuid: string;
  readonly created_at: string;
  readonly extensions: readonly string[];
  readonly subject?: string;
  readonly parties: readonly VconParty[];
  readonly dialog: readonly Readonly<Record<string, unknown>>[];
  readonly analysis?: readonly Readonly<Record<string, unknown>>[];
}

/** @throws RangeError for an index that names no party: a defect of the caller */
export function vconOf({ uuid, subject, createdAtMs, parties, dialogs }: VconInfo): Vcon {
  for (const named of dialogs.flatMap((each) => [
    ...each.parties,
    ...each.digits.map(({ party }) => party),
  ])) {
    if (parties[named] === undefined) throw new RangeError(`vCon ${uuid} has no party ${named}`);
  }
  return {
    vcon: VERSION,
    uuid,
    created_at: isoOf(createdAtMs),
    extensions: [EXTENSION],
    ...(subject === undefined ? {} : { subject }),
    parties,
    dialog: dialogs.map(dialogOf),
    ...analysisOf(dialogs),
  };
}

/** The words of each dialog that has any (draft section 4.5): JSON in the body, as the encoding `json` says. */
function analysisOf(dialogs: readonly VconDialog[]): Pick<Vcon, 'analysis'> {
  const analysis = dialogs.flatMap(({ transcript, parties }, dialog) => {
    if (transcript === undefined) return [];
    const { lines, missed } = transcript;
    const recognisers = new Set(lines.flatMap(({ recogniser }) => recogniser ?? []));
    const body = {
      lines: lines.map(({ channel, offsetMs, durationMs, text, confidence }) => ({
        party: parties[channel] ?? channel,
        offset: offsetMs / 1_000,
        duration: durationMs / 1_000,
        text,
        ...(confidence !== undefined && { confidence }),
      })),
      missed,
    };
    return [
      {
        ...{ type: 'transcript', dialog, vendor: VENDOR, schema: TRANSCRIPT_FORM },
        ...(recognisers.size > 0 && { product: [...recognisers].join(', ') }),
        ...{ mediatype: 'application/json', encoding: 'json', body: JSON.stringify(body) },
      },
    ];
  });
  return analysis.length === 0 ? {} : { analysis };
}

function dialogOf(dialog: VconDialog): Readonly<Record<string, unknown>> {
  const { uuid, startMs, durationMs, parties, originator, label, file, url, sha512, sha256, digits } = dialog;
  return {
    type: 'recording',
    start: isoOf(startMs),
    uuid,
    parties,
    party_history: digits.map((digit) => historyOf(digit, startMs)),
    // The draft (section 4.3.5) leaves it out where it is the first party; readers of the runtime API expect it always.
    ...(originator === undefined ? {} : { originator }),
    ...(label === undefined ? {} : { label }),
    ...(sha512 !== undefined
      ? { content_hash: contentHash(sha512) }
      : sha256 !== undefined && { content_hash: hashText('sha256', sha256) }),
    duration: durationMs / 1_000,
    // Chosen: the registered name (RFC 3003), which the file is served with; the draft suggests audio/x-mp3.
    mediatype: /\.mp3$/i.test(file) ? 'audio/mpeg' : 'audio/x-wav',
    // Document 2 and the draft spell it differently; readers of either find it.
    fileName: file,
    filename: file,
    url,
  };
}

/** Deviation: event `dtmf` with its measured length, as document 2 has it; the draft knows `keydown` and `keyup`. */
const historyOf = (
  { party, direction, digit, offsetMs, durationMs, toneType }: VconDigit,
  startMs: number,
) => ({
  event: 'dtmf',
  party,
  direction,
  data: { digit, duration: Math.round(durationMs), toneType },
  time: isoOf(startMs + offsetMs),
});

/** Algorithm and hash, base64url without padding (draft section 2.4). */
export const contentHash = (sha512: Uint8Array): string => hashText('sha512', sha512);

const hashText = (algorithm: string, hash: Uint8Array): string =>
  `${algorithm}-${Buffer.from(hash).toString('base64url')}`;

const isoOf = (ms: number): string => new Date(Math.round(ms)).toISOString();
