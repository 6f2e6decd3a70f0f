import { type MediaDescription as GrammarMedia, write } from 'sdp-transform';
import { keyText } from './crypto.ts';
import type { Address, Codec, LocalDescription, MediaDescription } from './description.ts';
import { writtenTransport } from './secure-transport.ts';

/** Text of a description of ours, in the order of RFC 8866 5. */
export function formatSdp(description: LocalDescription): string {
  const { origin, media } = description;
  return write({
    version: 0,
    origin: {
      username: origin.username,
      sessionId: origin.sessionId,
      sessionVersion: Number(origin.version),
      netType: 'IN',
      ipVer: origin.address.family,
      address: origin.address.host,
    },
    name: '-',
    connection: connectionOf(origin.address),
    timing: { start: 0, stop: 0 },
    ...bundleOf(media),
    media: media.map(writeMedia),
  });
}

/** RFC 9143 7: the m-lines of one transport, those in use. */
function bundleOf(media: readonly MediaDescription[]) {
  const mids = media.flatMap(({ bundled, mid, port }) =>
    bundled === true && mid !== undefined && port > 0 ? [mid] : [],
  );
  return mids.length === 0 ? {} : { groups: [{ type: 'BUNDLE', mids: mids.join(' ') }] };
}

const connectionOf = ({ family, host }: Address) => ({ version: family, ip: host });

function writeMedia(media: MediaDescription): GrammarMedia {
  const { kind, port, protocol, formats, address, codecs, ptimeMs, label, mid } = media;
  const named = { type: kind, port, protocol, payloads: formats.join(' ') };
  // A rejected line needs nothing behind it (RFC 3264 6).
  if (port === 0) return { ...named, rtp: [], fmtp: [] };
  return {
    ...named,
    ...(address === undefined ? {} : { connection: connectionOf(address) }),
    rtp: codecs.map(rtpmapOf),
    fmtp: codecs.flatMap(({ payloadType, fmtp }) =>
      fmtp === undefined ? [] : [{ payload: payloadType, config: fmtp }],
    ),
    ...(ptimeMs === undefined ? {} : { ptime: ptimeMs }),
    crypto: media.crypto.map(({ tag, suite, key }) => ({ id: tag, suite, config: keyText(key) })),
    ...(media.rtcpPort === undefined ? {} : { rtcp: { port: media.rtcpPort } }),
    ...(media.rtcpMux ? { rtcpMux: 'rtcp-mux' as const } : {}),
    ...(label === undefined ? {} : { label }),
    ...(mid === undefined ? {} : { mid }),
    direction: media.direction,
    ...(media.transport === undefined ? {} : writtenTransport(media.transport)),
  };
}

const rtpmapOf = ({ payloadType, name, clockRate, channels }: Codec) => ({
  payload: payloadType,
  codec: name,
  rate: clockRate,
  ...(channels === 1 ? {} : { encoding: channels }),
});
