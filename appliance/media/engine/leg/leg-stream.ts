import type { LegStream } from '../../control/index.ts';
import { type LatchRule, MASTER_BYTES, TAG_BYTES } from '../../rtp/index.ts';

const isPort = (port: number): boolean => Number.isInteger(port) && port >= 0 && port <= 65_535;
const isPayloadType = (type: number): boolean => Number.isInteger(type) && type >= 0 && type <= 127;

/** Why a stream cannot be served, or null. */
export function faultOf(stream: LegStream): string | null {
  const { remote, send, receive, telephoneEvent, comfortNoise, srtp } = stream;
  if (!isPort(remote.port) || !isPort(remote.rtcpPort))
    return 'A port of the peer is not between 0 and 65535.';
  if (receive.length === 0) return 'No voice codec was agreed; offer PCMA, PCMU or GSM.';
  const types = [send, ...receive].map(({ payloadType }) => payloadType);
  if (telephoneEvent) types.push(telephoneEvent.send, telephoneEvent.receive);
  if (comfortNoise) types.push(comfortNoise.send, comfortNoise.receive);
  if (!types.every(isPayloadType)) return 'A payload type is not between 0 and 127.';
  if (srtp === undefined) return null;
  if (!Object.hasOwn(TAG_BYTES, srtp.suite)) return `The SRTP suite ${srtp.suite} is not spoken here.`;
  const isWhole = srtp.sendKey.length === MASTER_BYTES && srtp.receiveKey.length === MASTER_BYTES;
  return isWhole ? null : `SRTP keys are ${MASTER_BYTES} bytes: 16 of the key and 14 of the salt.`;
}

/** The stream with its hosts as sockets spell it; "on hold" of old telephones, 0.0.0.0, becomes port 0. */
export function normalised(stream: LegStream): LegStream {
  const host = canonicalHost(stream.remote.host);
  const isNowhere = host === '0.0.0.0' || host === '::';
  const remote = isNowhere ? { host, port: 0, rtcpPort: 0 } : { ...stream.remote, host };
  const latchHosts = isNowhere ? [] : (stream.latchHosts ?? []).map(canonicalHost);
  return { ...stream, remote, latchHosts };
}

/** Sources that may take a leg with this stream. */
export const latchRuleOf = ({ latching, latchHosts = [], srtp }: LegStream): LatchRule => ({
  anywhere: latching,
  hosts: latchHosts,
  proven: srtp !== undefined,
});

/** An IPv6 address may be spelled in many ways, and sources are compared as text. */
function canonicalHost(host: string): string {
  if (!host.includes(':')) return host;
  const url = `http://[${host}]/`;
  return URL.canParse(url) ? new URL(url).hostname.slice(1, -1) : host;
}

export const receives = (stream: LegStream | null): boolean =>
  stream !== null && (stream.direction === 'sendrecv' || stream.direction === 'recvonly');
