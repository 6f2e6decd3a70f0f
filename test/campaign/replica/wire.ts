import { connect, createServer, type Server, type Socket } from 'node:net';

const HOST = '127.0.0.1';

/**
 * A TCP wire that can be cut. While it is, nothing is said on it: no byte arrives, no connection ends, and new ones stay without an
 * answer, as when a network is parted. Bytes that were sent meanwhile arrive when it is joined.
 */
export class Wire {
  readonly #server: Server;
  #target: number;
  readonly #sockets = new Set<Socket>();
  readonly #waiting = new Set<Socket>();
  readonly #forgotten = new Set<Socket>();
  #isCut = false;
  #isDown = false;

  private constructor(target: number) {
    this.#target = target;
    this.#server = createServer((outer) => this.#taken(outer));
  }

  static async open(target: number): Promise<Wire> {
    const wire = new Wire(target);
    await new Promise<void>((resolve) => wire.#server.listen(0, HOST, resolve));
    return wire;
  }

  get port(): number {
    const address = this.#server.address();
    return typeof address === 'object' && address !== null ? address.port : 0;
  }

  cut(): void {
    this.#isCut = true;
    for (const socket of this.#sockets) socket.pause();
  }

  /** As a firewall that forgot every connection: nothing is said on those any more, none ends, and new ones are as before. */
  forget(): void {
    for (const socket of this.#sockets) {
      socket.pause();
      socket.removeAllListeners('data');
      this.#forgotten.add(socket);
    }
    this.#sockets.clear();
  }

  /** As a program behind it that has ended: connections end, and new ones are refused. */
  down(): void {
    this.#isDown = true;
    for (const socket of [...this.#sockets, ...this.#waiting]) socket.destroy();
  }

  /** From now on it leads elsewhere, as an address that another machine takes; what was open ends. */
  turn(target: number): void {
    this.#target = target;
    for (const socket of [...this.#sockets, ...this.#waiting]) socket.destroy();
  }

  join(): void {
    this.#isDown = false;
    this.#isCut = false;
    for (const socket of this.#sockets) socket.resume();
    for (const outer of [...this.#waiting]) {
      this.#waiting.delete(outer);
      this.#through(outer);
    }
  }

  async stop(): Promise<void> {
    this.#server.close();
    for (const socket of [...this.#sockets, ...this.#waiting, ...this.#forgotten]) socket.destroy();
  }

  #taken(outer: Socket): void {
    outer.on('error', () => undefined);
    if (this.#isDown) {
      outer.destroy();
      return;
    }
    if (!this.#isCut) {
      this.#through(outer);
      return;
    }
    outer.pause();
    this.#waiting.add(outer);
    outer.once('close', () => this.#waiting.delete(outer));
  }

  #through(outer: Socket): void {
    if (outer.destroyed) return;
    const inner = connect(this.#target, HOST);
    inner.on('error', () => undefined);
    for (const [from, to] of [
      [outer, inner],
      [inner, outer],
    ] as const) {
      this.#sockets.add(from);
      from.on('data', (bytes) => void to.write(bytes));
      from.on('end', () => to.end());
      from.on('close', () => {
        this.#sockets.delete(from);
        to.destroy();
      });
      if (this.#isCut) from.pause();
      else from.resume();
    }
  }
}
