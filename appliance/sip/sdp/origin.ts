import type { LocalDescription, MediaDescription, Origin } from './description.ts';
import { formatSdp } from './format.ts';

/**
 * Our next description. Its version grows by one when it says anything new, and stays when it does not
 * (RFC 3264 8): a session refresh repeats the description word for word.
 */
export function nextDescription(
  origin: Omit<Origin, 'version'>,
  media: readonly MediaDescription[],
  before: LocalDescription | undefined,
): LocalDescription {
  if (before === undefined) return { origin: { ...origin, version: '1' }, media };
  const same: LocalDescription = { origin: { ...origin, version: before.origin.version }, media };
  if (formatSdp(same) === formatSdp(before)) return same;
  return { origin: { ...origin, version: String(Number(before.origin.version) + 1) }, media };
}

/** An m-line that stays in its place without being used (RFC 3264 6 and 8.2). */
export const rejected = ({ kind, protocol, formats }: MediaDescription): MediaDescription => ({
  kind,
  port: 0,
  protocol,
  formats,
  direction: 'inactive',
  codecs: [],
  crypto: [],
  rtcpMux: false,
});
