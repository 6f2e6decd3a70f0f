import type { Result } from '#shared/result.ts';
import type { Flow, Outgoing } from '../../../sip/endpoint/index.ts';
import { namedTransport, nextHop } from '../../../sip/location/index.ts';
import type { SipUri } from '../../../sip/message/index.ts';
import { familyOf, isNumeric } from '../leg-media/address.ts';

const DEFAULT_PORT = 5060;

/** Opens a flow to where a SIP URI is served (RFC 3263); `found` is called in a turn of its own. */
export type FindFlow = (uri: string, found: (flow: Result<Flow>) => void) => void;

/** Where a request is to go; `lost`: the name it should go to leads nowhere, and this flow is the one of before. */
export interface NextHop {
  readonly flow: Flow;
  readonly lost?: string;
}

/**
 * The way of requests within a dialog (RFC 3261 12.2.1.1, RFC 3263 4): to the first Route, else to the peer's Contact. A
 * connection is used as long as it lives (RFC 5923). Over UDP a numeric address is where it is; a name is looked up once,
 * and the requests behind it keep their order meanwhile.
 */
export class DialogNextHop {
  #flow: Flow;
  readonly #find: FindFlow | undefined;
  readonly #known = new Map<string, Flow>();
  /** Requests that wait for a look-up, in their order. */
  readonly #waiting: (() => void)[] = [];
  #looking = false;
  /** Opened for a request of ours that UDP was too small for. */
  #stream: Flow | undefined;

  /** Without `find` names are not followed: the peer stays where it was found. */
  constructor(flow: Flow, find: FindFlow | undefined) {
    this.#flow = flow;
    this.#find = find;
  }

  get flow(): Flow {
    return this.#flow;
  }

  /** Our INVITE went by this connection, because of its length: a peer that now names TCP is reached by it. */
  streamed(stream: Flow): void {
    this.#stream = stream;
  }

  /** `send` is called at once, unless a name must be looked up before. */
  take(outgoing: Outgoing, send: (hop: NextHop) => void): void {
    if (this.#looking) this.#waiting.push(() => this.#go(outgoing, send));
    else this.#go(outgoing, send);
  }

  #go(outgoing: Outgoing, send: (hop: NextHop) => void): void {
    const uri = this.#flow.transport === 'UDP' ? nextHop(outgoing) : undefined;
    const named = uri === undefined || isNumeric(hostOf(uri)) ? undefined : nameOf(uri);
    const known = named === undefined ? undefined : this.#known.get(named);
    if (known !== undefined) send({ flow: known });
    else if (named === undefined || this.#find === undefined)
      send({ flow: this.#streamTo(uri) ?? placeOf(uri, this.#flow) });
    else this.#look(named, this.#find, send);
  }

  #streamTo(uri: SipUri | undefined): Flow | undefined {
    const isThere =
      uri !== undefined && transportOf(uri) === 'tcp' && hostOf(uri) === this.#stream?.remoteAddress;
    return isThere ? this.#stream : undefined;
  }

  #look(named: string, find: FindFlow, send: (hop: NextHop) => void): void {
    this.#looking = true;
    find(named, (flow) => {
      this.#looking = false;
      if (flow.ok) this.#known.set(named, flow.value);
      send(flow.ok ? { flow: flow.value } : { flow: this.#flow, lost: `${named}: ${flow.error.reason}` });
      this.#goOn();
    });
  }

  /**
   * Opens another connection after one of the peer's own was lost, to the address that the peer names (RFC 3261 18.1.1,
   * RFC 5923 5), for every request from now on; `only`: if the peer names this address.
   */
  reopen(outgoing: Outgoing, opened: (flow?: Flow) => void, only?: string): void {
    const uri = nextHop(outgoing);
    const elsewhere = uri === undefined || (only !== undefined && hostOf(uri) !== only);
    if (elsewhere || this.#find === undefined || this.#looking) {
      opened();
      return;
    }
    this.#looking = true;
    this.#find(nameOf(uri), (flow) => {
      this.#looking = false;
      if (flow.ok) this.#flow = flow.value;
      if (flow.ok) opened(flow.value);
      else opened();
      this.#goOn();
    });
  }

  #goOn(): void {
    while (!this.#looking) {
      const next = this.#waiting.shift();
      if (next === undefined) return;
      next();
    }
  }
}

/**
 * A request to a peer that was heard on this flow. Where its Contact names the end of it, a connection may be opened there; behind
 * NAT it names an address inside, and the port we see is a pinhole of UDP: only the flow leads there (RFC 5626 5.3).
 */
export function onItsFlow(outgoing: Outgoing, { remoteAddress, remotePort }: Flow): Outgoing {
  const uri = nextHop(outgoing);
  const standsThere =
    uri !== undefined && hostOf(uri) === remoteAddress && (uri.port ?? DEFAULT_PORT) === remotePort;
  return standsThere ? outgoing : { ...outgoing, pinned: true };
}

function placeOf(uri: SipUri | undefined, flow: Flow): Flow {
  if (uri === undefined) return flow;
  const host = hostOf(uri);
  const usable = uri.scheme === 'sip' && transportOf(uri) === 'udp' && isNumeric(host);
  if (!usable || familyOf(host) !== familyOf(flow.remoteAddress)) return flow;
  return { ...flow, remoteAddress: host, remotePort: uri.port ?? DEFAULT_PORT };
}

const parameterOf = (uri: SipUri, name: string): string | undefined =>
  uri.parameters.find((each) => each.name === name)?.raw;

const transportOf = (uri: SipUri): string => namedTransport(uri) ?? 'udp';

const hostOf = (uri: SipUri): string => (parameterOf(uri, 'maddr') ?? uri.host).replaceAll(/[[\]]/g, '');

/** Address of the host alone, with what tells how it is reached. */
function nameOf(uri: SipUri): string {
  const port = uri.port === undefined ? '' : `:${uri.port}`;
  const transport = parameterOf(uri, 'transport');
  return `${uri.scheme}:${hostOf(uri)}${port}${transport === undefined ? '' : `;transport=${transport}`}`;
}
