import type { RecordingMetadata } from './metadata.ts';

/** Metadata as a document (RFC 7865 6, RFC 7866 9.1): who takes part, and who is heard on which stream. */
export function writeMetadata(metadata: RecordingMetadata, sessionId: string, at: Date): string {
  const { dataMode, participants, streams, left } = metadata;
  const session = attribute(sessionId);
  const time = at.toISOString();
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<recording xmlns="urn:ietf:params:xml:ns:recording:1">',
    `  <datamode>${content(dataMode)}</datamode>`,
    `  <session session_id="${session}"/>`,
    ...participants.map(
      ({ id, aor = '', name }) =>
        `  <participant participant_id="${attribute(id)}"><nameID aor="${attribute(aor)}">${
          name === undefined ? '' : `<name>${content(name)}</name>`
        }</nameID></participant>`,
    ),
    ...streams.map(
      ({ id, label }) =>
        `  <stream stream_id="${attribute(id)}" session_id="${session}"><label>${content(label)}</label></stream>`,
    ),
    ...participants.map(({ id }) => {
      const sends = streams.filter(({ participants: all }) => all.includes(id));
      const hears = streams.filter(({ participants: all }) => !all.includes(id));
      const lines = [
        ...sends.map((stream) => `<send>${content(stream.id)}</send>`),
        ...hears.map((stream) => `<recv>${content(stream.id)}</recv>`),
      ];
      return `  <participantstreamassoc participant_id="${attribute(id)}">${lines.join('')}</participantstreamassoc>`;
    }),
    ...left.map(
      (id) =>
        `  <participantsessionassoc participant_id="${attribute(id)}" session_id="${session}"><disassociate-time>${time}</disassociate-time></participantsessionassoc>`,
    ),
    '</recording>',
    '',
  ].join('\n');
}

/** Namespace of ours: the schema of RFC 7865 has room for others at the end of a document. */
const DATA = 'urn:carillon:recording-data:1';

/** The same document with further facts by name at its end, for servers that look for them. The rest stays as it came. */
export function withData(text: string, data: Readonly<Record<string, string>>): string {
  const facts = Object.entries(data).map(
    ([name, value]) => `  <data xmlns="${DATA}" name="${attribute(name)}">${content(value)}</data>\n`,
  );
  const end = text.lastIndexOf('</');
  return end < 0 || facts.length === 0 ? text : `${text.slice(0, end)}${facts.join('')}${text.slice(end)}`;
}

const content = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const attribute = (text: string): string => content(text).replaceAll('"', '&quot;');
