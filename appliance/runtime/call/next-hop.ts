import type { Flow, Outgoing } from '../../sip/endpoint/index.ts';
import { isSip, parseNameAddr, parseUri, type SipUri } from '../../sip/message/index.ts';
import { familyOf, isNumeric } from './address.ts';

const DEFAULT_PORT = 5060;

/**
 * Where a request within a dialog goes (RFC 3261 12.2.1.1, RFC 3263 4): to the first Route, else to the peer's Contact.
 * Over UDP, to a numeric address; a connection is used as long as it lives (RFC 5923), and what needs a look-up stays
 * on the flow of before.
 */
export function nextHop(outgoing: Outgoing, flow: Flow): Flow {
  if (flow.transport !== 'UDP') return flow;
  const uri = hopOf(outgoing);
  if (uri === undefined) return flow;
  const transport = uri.parameters.find(({ name }) => name === 'transport')?.raw ?? 'udp';
  const maddr = uri.parameters.find(({ name }) => name === 'maddr')?.raw;
  const host = (maddr ?? uri.host).replaceAll(/[[\]]/g, '');
  const usable = uri.scheme === 'sip' && transport.toLowerCase() === 'udp' && isNumeric(host);
  if (!usable || familyOf(host) !== familyOf(flow.remoteAddress)) return flow;
  return { ...flow, remoteAddress: host, remotePort: uri.port ?? DEFAULT_PORT };
}

function hopOf({ uri, headers }: Outgoing): SipUri | undefined {
  const route = headers.find(([name]) => name === 'Route')?.[1];
  const text = route === undefined ? uri : parseNameAddr(route, 0, route.length)?.uriText;
  const parsed = text === undefined ? undefined : parseUri(text);
  return parsed?.ok === true && isSip(parsed.value) ? parsed.value : undefined;
}
