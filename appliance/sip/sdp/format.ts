import { keyText } from './crypto.ts';
import type { Address, Codec, LocalDescription, MediaDescription } from './description.ts';
import { transportText } from './secure-transport.ts';

/** Text of a description of ours, in the order of RFC 8866 5. */
export function formatSdp({ origin, media }: LocalDescription): string {
  const { username, sessionId, version, address } = origin;
  return (
    'v=0\r\n' +
    `o=${username} ${sessionId} ${version} ${addressText(address)}\r\n` +
    's=-\r\n' +
    `c=${addressText(address)}\r\n` +
    't=0 0\r\n' +
    bundleText(media) +
    media.map(mediaText).join('')
  );
}

/** RFC 9143 7: the m-lines of one transport, those in use. */
function bundleText(media: readonly MediaDescription[]): string {
  const mids = media.flatMap(({ bundled, mid, port }) =>
    bundled === true && mid !== undefined && port > 0 ? [mid] : [],
  );
  return mids.length === 0 ? '' : `a=group:BUNDLE ${mids.join(' ')}\r\n`;
}

const addressText = ({ family, host }: Address): string => `IN IP${family} ${host}`;

function mediaText(media: MediaDescription): string {
  const { kind, port, protocol, formats, address, codecs, ptimeMs, maxPtimeMs, rtcpPort, label, mid } = media;
  const line = `m=${kind} ${port} ${protocol} ${formats.join(' ')}\r\n`;
  // A rejected line needs nothing behind it (RFC 3264 6).
  if (port === 0) return line;
  let text = line;
  if (address !== undefined) text += `c=${addressText(address)}\r\n`;
  for (const codec of codecs) text += rtpmapText(codec);
  for (const { payloadType, fmtp } of codecs)
    if (fmtp !== undefined) text += `a=fmtp:${payloadType} ${fmtp}\r\n`;
  if (rtcpPort !== undefined) text += `a=rtcp:${rtcpPort}\r\n`;
  for (const { tag, suite, key } of media.crypto) text += `a=crypto:${tag} ${suite} ${keyText(key)}\r\n`;
  if (mid !== undefined) text += `a=mid:${mid}\r\n`;
  if (ptimeMs !== undefined) text += `a=ptime:${ptimeMs}\r\n`;
  if (maxPtimeMs !== undefined) text += `a=maxptime:${maxPtimeMs}\r\n`;
  text += `a=${media.direction}\r\n`;
  if (media.transport !== undefined) text += transportText(media.transport);
  if (media.rtcpMux) text += 'a=rtcp-mux\r\n';
  if (label !== undefined) text += `a=label:${label}\r\n`;
  return text;
}

const rtpmapText = ({ payloadType, name, clockRate, channels }: Codec): string =>
  `a=rtpmap:${payloadType} ${name}/${clockRate}${channels === 1 ? '' : `/${channels}`}\r\n`;
