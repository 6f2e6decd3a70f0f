import type { RecordedStream, RecordingMetadata } from './metadata.ts';

/**
 * The description of a recording session after further metadata came (RFC 7865 5.1, 6.7, 6.8): a complete one is all there is,
 * a partial one says what has changed.
 *
 *   partial   participant          new, or another name
 *             stream               new, or another label
 *             ...sessionassoc      with disassociate-time: the participant has left, and is heard no more
 *             ...streamassoc       the streams it is heard on from now on; none: on hold
 */
export function followed(
  before: RecordingMetadata | undefined,
  update: RecordingMetadata,
): RecordingMetadata {
  if (before === undefined || update.dataMode !== 'partial') return without(update, update.left);
  const participants = merged(before.participants, update.participants);
  const moved = new Set([...update.placed, ...update.left]);
  const streams = merged(before.streams, update.streams.map(labelled(before.streams))).map((stream) => {
    const stays = before.streams.find(({ id }) => id === stream.id)?.participants ?? [];
    const comes = update.streams.find(({ id }) => id === stream.id)?.participants ?? [];
    return { ...stream, participants: [...stays.filter((each) => !moved.has(each)), ...comes] };
  });
  return without({ dataMode: 'complete', participants, streams, left: [], placed: [] }, update.left);
}

const labelled =
  (before: readonly RecordedStream[]) =>
  (stream: RecordedStream): RecordedStream =>
    stream.label === ''
      ? { ...stream, label: before.find(({ id }) => id === stream.id)?.label ?? '' }
      : stream;

function merged<T extends { readonly id: string }>(before: readonly T[], update: readonly T[]): readonly T[] {
  const byId = new Map([...before, ...update].map((each) => [each.id, each]));
  return [...byId.values()];
}

const without = (metadata: RecordingMetadata, left: readonly string[]): RecordingMetadata => ({
  ...metadata,
  dataMode: 'complete',
  participants: metadata.participants.filter(({ id }) => !left.includes(id)),
  streams: metadata.streams.map((stream) => ({
    ...stream,
    participants: stream.participants.filter((each) => !left.includes(each)),
  })),
  left: [],
});

/** The changes in words for the trace: participants who came or left, and the streams on which each is heard. */
export function changes(before: RecordingMetadata | undefined, now: RecordingMetadata): readonly string[] {
  const nameOf = (id: string): string => {
    const all = [...now.participants, ...(before?.participants ?? [])];
    const { name, aor } = all.find((each) => each.id === id) ?? {};
    return name ?? aor ?? id;
  };
  const [old, present] = [before?.participants ?? [], now.participants].map(
    (all) => new Set(all.map(({ id }) => id)),
  );
  const came = [...(present ?? [])].filter((id) => !old?.has(id)).map((id) => `${nameOf(id)} joins`);
  const left = [...(old ?? [])].filter((id) => !present?.has(id)).map((id) => `${nameOf(id)} leaves`);
  const streamChanges = now.streams.flatMap(({ id, label, participants }) => {
    const was = before?.streams.find((each) => each.id === id)?.participants ?? [];
    if (before === undefined || same(was, participants)) return [];
    const who = participants.length === 0 ? 'nobody' : participants.map(nameOf).join(', ');
    return [`stream ${label || id} is of ${who}`];
  });
  return [...came, ...left, ...streamChanges];
}

const same = (some: readonly string[], others: readonly string[]): boolean =>
  some.length === others.length && some.every((each) => others.includes(each));
