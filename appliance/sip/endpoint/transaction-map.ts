import type { SipRequest } from '../message/index.ts';
import { pathKey } from '../transaction/index.ts';
import type { ClientTransaction } from './client-transaction.ts';
import { type Flow, peerOf, replyFlow } from './flow.ts';
import { ServerTransaction } from './server-transaction.ts';
import type { Transaction } from './transaction.ts';

/** Chosen: forks of a real proxy are under ten, and a look at each of them must stay short. */
const MOST_PATHS = 32;

/** Every running transaction, by each thing it is ever looked for by; nothing is found by a scan. */
export class TransactionMap {
  /** By request; the paths of a forked one hang together, at most `MOST_PATHS`. */
  readonly #servers = new Map<string, ServerTransaction>();
  readonly #clients = new Map<string, ClientTransaction>();
  /** The transactions that fail with a connection; over UDP only those of our requests, because answers are lost without a word. */
  readonly #peers = new Map<string, Set<Transaction>>();

  #serverCount = 0;

  get serverCount(): number {
    return this.#serverCount;
  }

  get clientCount(): number {
    return this.#clients.size;
  }

  /** The transaction of this request (see `requestKey`), come by the path that `like` shows. */
  server(key: string, like: SipRequest): ServerTransaction | undefined {
    let found = this.#servers.get(key);
    if (found === undefined) return undefined;
    const path = pathKey(like);
    while (found !== undefined && found.path !== path) found = found.next;
    return found;
  }

  client(key: string): ClientTransaction | undefined {
    return this.#clients.get(key);
  }

  /** Everything that fails when this flow does. */
  at(flow: Flow): readonly Transaction[] {
    return [...(this.#peers.get(peerOf(flow)) ?? [])];
  }

  /**
   * False: its request has come by more paths than any proxy makes. Paths that were only challenged give way: a client that
   * keeps its CSeq tries again by ever new branches (RFC 3261 8.2.2.2 speaks of ongoing transactions).
   */
  addServer(server: ServerTransaction): boolean {
    const { last, length } = endOf(this.#servers.get(server.key));
    if (length >= MOST_PATHS) {
      const challenged = this.#challenged(server.key);
      if (challenged === undefined) return false;
      challenged.abandon();
      return this.addServer(server);
    }
    if (last === undefined) this.#servers.set(server.key, server);
    else last.next = server;
    this.#serverCount++;
    if (server.flow.reliable) this.#join(server);
    return true;
  }

  /**
   * Chosen: a repeat moves the answer to the way that the repeat came. A device behind a NAT that forgot its port, or whose
   * connection broke, repeats the same request from elsewhere, and no longer hears what goes to where it was.
   */
  arriveAgain(server: ServerTransaction, request: SipRequest, arrival: Flow): void {
    const flow = replyFlow(arrival, request.topVia);
    if (peerOf(flow) === server.peer) return;
    if (server.flow.reliable) this.#leave(server);
    server.arrives(arrival, flow);
    if (flow.reliable) this.#join(server);
  }

  addClient(client: ClientTransaction): void {
    this.#clients.set(client.key, client);
    this.#join(client);
  }

  /**
   * Makes this the one transaction of its request; false when another path of the same request was first. A challenged path has
   * taken no request, and is the first no longer.
   */
  claim(server: ServerTransaction): boolean {
    if (!server.mayMerge) return true;
    for (let each = this.#servers.get(server.key); each !== undefined; each = each.next)
      if (each.claimed && each.content === server.content) return false;
    server.claimed = true;
    return true;
  }

  #challenged(key: string): ServerTransaction | undefined {
    let each = this.#servers.get(key);
    while (each !== undefined && !each.challenged) each = each.next;
    return each;
  }

  remove(transaction: Transaction): void {
    if (transaction instanceof ServerTransaction) {
      this.#removeServer(transaction);
      if (!transaction.flow.reliable) return;
    } else this.#clients.delete(transaction.key);
    this.#leave(transaction);
  }

  #leave(transaction: Transaction): void {
    const there = this.#peers.get(transaction.peer);
    there?.delete(transaction);
    if (there?.size === 0) this.#peers.delete(transaction.peer);
  }

  #removeServer(server: ServerTransaction): void {
    const first = this.#servers.get(server.key);
    let before = first;
    while (before !== undefined && before !== server && before.next !== server) before = before.next;
    if (before === undefined) return;
    this.#serverCount--;
    if (before !== server) before.next = server.next;
    else if (server.next === undefined) this.#servers.delete(server.key);
    else this.#servers.set(server.key, server.next);
  }

  #join(transaction: Transaction): void {
    const there = this.#peers.get(transaction.peer);
    if (there === undefined) this.#peers.set(transaction.peer, new Set([transaction]));
    else there.add(transaction);
  }
}

/** The last path of a request, and how many there are. */
function endOf(first: ServerTransaction | undefined) {
  let last = first;
  let length = first === undefined ? 0 : 1;
  while (last?.next !== undefined) {
    last = last.next;
    length++;
  }
  return { last, length };
}
