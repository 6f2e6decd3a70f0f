import type { ClientTransaction } from './client-transaction.ts';
import { type Flow, peerOf } from './flow.ts';
import { ServerTransaction } from './server-transaction.ts';
import type { Transaction } from './transaction.ts';

/** Every running transaction, by each thing it is ever looked for by; nothing is found by a scan. */
export class TransactionMap {
  readonly #servers = new Map<string, ServerTransaction>();
  /** Who came first of the paths of one forked request (RFC 3261 8.2.2.2). */
  readonly #merges = new Map<string, ServerTransaction>();
  readonly #clients = new Map<string, ClientTransaction>();
  /** What fails with a connection; over UDP only what we sent, because answers are lost without a word. */
  readonly #peers = new Map<string, Set<Transaction>>();

  get serverCount(): number {
    return this.#servers.size;
  }

  get clientCount(): number {
    return this.#clients.size;
  }

  server(key: string): ServerTransaction | undefined {
    return this.#servers.get(key);
  }

  client(key: string): ClientTransaction | undefined {
    return this.#clients.get(key);
  }

  /** Everything that fails when this flow does. */
  at(flow: Flow): readonly Transaction[] {
    return [...(this.#peers.get(peerOf(flow)) ?? [])];
  }

  addServer(server: ServerTransaction): void {
    this.#servers.set(server.key, server);
    if (server.flow.reliable) this.#join(server);
  }

  addClient(client: ClientTransaction): void {
    this.#clients.set(client.key, client);
    this.#join(client);
  }

  /** Makes this the one transaction of its request; false when another path of the same request was first. */
  claim(server: ServerTransaction): boolean {
    const { mergeKey } = server;
    if (mergeKey === undefined) return true;
    if (this.#merges.has(mergeKey)) return false;
    this.#merges.set(mergeKey, server);
    return true;
  }

  remove(transaction: Transaction): void {
    if (transaction instanceof ServerTransaction) {
      this.#servers.delete(transaction.key);
      const { mergeKey } = transaction;
      if (mergeKey !== undefined && this.#merges.get(mergeKey) === transaction) this.#merges.delete(mergeKey);
      if (!transaction.flow.reliable) return;
    } else this.#clients.delete(transaction.key);
    const there = this.#peers.get(transaction.peer);
    there?.delete(transaction);
    if (there?.size === 0) this.#peers.delete(transaction.peer);
  }

  #join(transaction: Transaction): void {
    const there = this.#peers.get(transaction.peer);
    if (there === undefined) this.#peers.set(transaction.peer, new Set([transaction]));
    else there.add(transaction);
  }
}
