import type { Flow } from '#appliance/sip/endpoint/index.ts';
import type { Hop, Looked, Lookup, NaptrRecord, SrvRecord } from '#appliance/sip/location/index.ts';
import { fail, ok, type Result } from '#shared/result.ts';

/** The names and places of a network that is all in memory. */
export function testNetwork() {
  const naptr = new Map<string, NaptrRecord[]>();
  const srv = new Map<string, SrvRecord[]>();
  const addresses = new Map<string, string[]>();
  /** `address:port` to which nothing connects. */
  const closed = new Set<string>();
  /** Transports by which nothing connects. */
  const noTransport = new Set<string>();
  const asked: string[] = [];
  let connections = 0;
  const look = async <T>(kind: string, records: Map<string, T[]>, name: string): Promise<Looked<T>> => {
    asked.push(`${kind} ${name}`);
    return ok(records.get(name) ?? []);
  };
  const lookup: Lookup = {
    naptr: (name) => look('NAPTR', naptr, name),
    srv: (name) => look('SRV', srv, name),
    addresses: (name) => look('A', addresses, name),
  };
  return {
    naptr,
    srv,
    addresses,
    closed,
    noTransport,
    asked,
    lookup,
    async connect(hop: Hop): Promise<Result<Flow, { code: 'Unreachable'; reason: string }>> {
      if (closed.has(`${hop.address}:${hop.port}`) || noTransport.has(hop.transport))
        return fail('Unreachable', 'nobody listens there');
      const reliable = hop.transport !== 'UDP';
      return ok({
        transport: hop.transport,
        reliable,
        localAddress: '192.0.2.10',
        localPort: reliable ? 40_000 : 5060,
        remoteAddress: hop.address,
        remotePort: hop.port,
        connection: reliable ? ++connections + 1_000 : 0,
      });
    },
  };
}
