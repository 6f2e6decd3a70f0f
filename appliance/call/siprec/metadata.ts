import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { fail, ok, type Result } from '#shared/result.ts';

/** Media type of the metadata in an INVITE (RFC 7866 9.1). */
export const RECORDING_METADATA = 'application/rs-metadata+xml';
/** Content-Disposition of metadata: it says what the part is, whatever its type (RFC 7866 9.1). */
export const RECORDING_SESSION = 'recording-session';
/** Body by which a server asks its client for the whole metadata (RFC 7866 9.2). */
export const METADATA_REQUEST = 'application/rs-metadata-request';

/** A participant, by the address of record and the name of RFC 7865 6.5. */
export interface RecordedParticipant {
  readonly id: string;
  readonly aor: string | undefined;
  readonly name: string | undefined;
}

/** One stream of the recording session: its label in the description, and who is heard on it. */
export interface RecordedStream {
  readonly id: string;
  readonly label: string;
  readonly participants: readonly string[];
}

export interface RecordingMetadata {
  /** `complete` or `partial` (RFC 7865 5.1): a partial one says what has changed. */
  readonly dataMode: string;
  readonly participants: readonly RecordedParticipant[];
  readonly streams: readonly RecordedStream[];
  /** Participants that have left the session, by a time of disassociation (RFC 7865 6.7). */
  readonly left: readonly string[];
  /** Participants whose streams a partial description names again (6.8). */
  readonly placed: readonly string[];
}

/** Chosen: a conference of a hundred has about so much. */
export const MOST_METADATA = 131_072;
const MOST_TAGS = 2_048;

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  removeNSPrefix: true,
  parseTagValue: false,
  parseAttributeValue: false,
  processEntities: true,
  htmlEntities: true,
  maxNestedTags: 16,
  isArray: (name) => LISTS.has(name),
});
const LISTS = new Set([
  'participant',
  'stream',
  'participantsessionassoc',
  'participantstreamassoc',
  'nameID',
  'name',
  'send',
  'label',
]);

type Element = Readonly<Record<string, unknown>>;

/**
 * Recording metadata (RFC 7865) of a recording client: participants, streams, and who sends on which. Everything else
 * is passed on as text. Malformed is a value; the order of the checks is that of the XML of alarms.
 */
export function readMetadata(bytes: Uint8Array): Result<RecordingMetadata> {
  if (bytes.length > MOST_METADATA)
    return fail('TooLarge', `the recording metadata has ${bytes.length} bytes; ${MOST_METADATA} are taken`);
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8').trim();
  if (/<!DOCTYPE/i.test(text)) return fail('Malformed', 'recording metadata has no document type');
  if (text.split('<').length > MOST_TAGS)
    return fail('TooLarge', `the recording metadata has over ${MOST_TAGS} tags`);
  try {
    const verdict = XMLValidator.validate(text);
    if (verdict !== true) return fail('Malformed', `the recording metadata is no XML: ${verdict.err.msg}`);
    const document = parser.parse(text) as Element;
    const roots = Object.keys(document).filter((name) => !name.startsWith('?'));
    const { recording } = document;
    if (roots.length !== 1 || typeof recording !== 'object' || recording === null || Array.isArray(recording))
      return fail('Malformed', 'recording metadata has one root, recording (RFC 7865 5.1)');
    return ok(metadataOf(recording as Element));
  } catch (thrown) {
    return fail('Malformed', `the recording metadata cannot be read: ${String(thrown)}`);
  }
}

function metadataOf(recording: Element): RecordingMetadata {
  const senders = new Map<string, string[]>();
  const placed: string[] = [];
  for (const association of elements(recording.participantstreamassoc)) {
    const participant = textOf(association['@participant_id']);
    placed.push(participant);
    if (isOver(association)) continue;
    for (const stream of list(association.send)) {
      const id = textOf(stream);
      senders.set(id, [...(senders.get(id) ?? []), participant]);
    }
  }
  const left = elements(recording.participantsessionassoc)
    .filter(isOver)
    .map((association) => textOf(association['@participant_id']));
  // A participant on streams that the document does not describe speaks on the streams of before.
  const known = new Set(elements(recording.stream).map((stream) => textOf(stream['@stream_id'])));
  const undescribed = [...senders]
    .filter(([id]) => !known.has(id))
    .map(([id, participants]) => ({ id, label: '', participants }));
  return {
    left,
    placed,
    dataMode: textOf(recording.datamode) || 'complete',
    participants: elements(recording.participant).map((participant) => {
      const [named] = elements(participant.nameID);
      const [name] = list(named?.name);
      return {
        id: textOf(participant['@participant_id']),
        aor: textOf(named?.['@aor']) || undefined,
        name: textOf(name) || undefined,
      };
    }),
    streams: [
      ...elements(recording.stream).map((stream) => {
        const id = textOf(stream['@stream_id']);
        const [label] = list(stream.label);
        return { id, label: textOf(label), participants: senders.get(id) ?? [] };
      }),
      ...undescribed,
    ],
  };
}

const isOver = (association: Element): boolean => association['disassociate-time'] !== undefined;

const list = (value: unknown): readonly unknown[] =>
  value === undefined ? [] : Array.isArray(value) ? value : [value];

const elements = (value: unknown): readonly Element[] =>
  list(value).filter((each): each is Element => typeof each === 'object' && each !== null);

/** Text of an element with or without attributes. */
const textOf = (value: unknown): string =>
  typeof value === 'string'
    ? value
    : typeof value === 'object' && value !== null
      ? textOf((value as Element)['#text'] ?? '')
      : '';
