import { type Failure, fail, ok, type Result } from '#shared/result.ts';
import type { Flow } from '../../sip/endpoint/index.ts';
import { type Hop, type LocateOptions, type Lookup, locate, type Random } from '../../sip/location/index.ts';
import { isSip, parseUri } from '../../sip/message/index.ts';

export type NextHopFailure = Failure<
  | 'Malformed'
  | 'NotSupported'
  | 'NotFound'
  | 'LookupFailed'
  | 'Unreachable'
  | 'IdentityRefused'
  | 'NoCredentials'
  | 'Closed'
>;

/**
 * Opens a flow to one place, or takes the one that is open; TLS peers are checked against `hop.domain`. `withinMs`: how long a
 * new connection may take; absent: as long as the transport lets it.
 */
export type Connect = (hop: Hop, withinMs?: number) => Promise<Result<Flow, NextHopFailure>>;

/** One way to a destination. Opened when its turn comes: the next one is for when this one fails. */
export interface NextHopCandidate {
  readonly hop: Hop;
  readonly open: () => Promise<Result<Flow, NextHopFailure>>;
}

export type NextHopCandidates = Result<readonly NextHopCandidate[], NextHopFailure>;

/** From a SIP URI to flows, in the order to try them (RFC 3263). For every request of ours that no flow waits for. */
export class NextHopResolver {
  readonly #lookup: Lookup;
  readonly #connect: Connect;
  readonly #connectLong: Connect;
  readonly random: Random;

  /** @param connectLong for requests that are too long for UDP; absent: as every connection is opened */
  constructor(lookup: Lookup, connect: Connect, random: Random, connectLong: Connect = connect) {
    this.#lookup = lookup;
    this.#connect = connect;
    this.#connectLong = connectLong;
    this.random = random;
  }

  /** The first way that opens. */
  async open(uriText: string, options: LocateOptions = {}): Promise<Result<Flow, NextHopFailure>> {
    return firstOf(await this.candidates(uriText, options));
  }

  async candidates(uriText: string, options: LocateOptions = {}): Promise<NextHopCandidates> {
    const uri = parseUri(uriText);
    if (!uri.ok) return fail('Malformed', `${uriText}: ${uri.error.reason}`);
    if (!isSip(uri.value))
      return fail('NotSupported', `${uriText} is no SIP address, and nothing else can be called`);
    const hops = await locate(uri.value, this.#lookup, this.random, options);
    if (!hops.ok) return hops;
    return ok(hops.value.map((hop) => ({ hop, open: () => this.#connect(hop) })));
  }

  /** For a request that UDP would carry in pieces (RFC 3261 18.1.1): connections first, where the address does not rule them out. */
  async streamCandidates(uriText: string): Promise<NextHopCandidates> {
    const usual = await this.candidates(uriText);
    if (!usual.ok || usual.value[0]?.hop.transport !== 'UDP') return usual;
    const byTcp = await this.candidates(uriText, { transport: 'TCP' });
    const connected = [...(byTcp.ok ? byTcp.value : []), ...usual.value].flatMap(({ hop }) =>
      hop.transport === 'UDP' ? [] : [{ hop, open: () => this.#connectLong(hop) }],
    );
    return ok([...connected, ...usual.value]);
  }
}

/** Opens one way after the other until one opens. */
export async function firstOf(candidates: NextHopCandidates): Promise<Result<Flow, NextHopFailure>> {
  if (!candidates.ok) return candidates;
  let failed: Result<Flow, NextHopFailure> = fail('Unreachable', 'no way leads there');
  for (const candidate of candidates.value) {
    failed = await candidate.open();
    if (failed.ok) return failed;
  }
  return failed;
}
