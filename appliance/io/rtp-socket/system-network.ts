import { ok, type Result } from '#shared/result.ts';
import {
  ADDRESS_BYTES,
  type Libc,
  linux,
  ReceiveBatch,
  reasonOf,
  writeSocketAddress,
} from '../libc/index.ts';
import type { Descriptors } from './descriptors.ts';
import { noSocket, type RtpNetwork, type RtpSocket, type SocketFault } from './rtp-socket.ts';
import { SystemSocket } from './system-socket.ts';

/**
 * Sockets are looked at this often, ms: what waits is then read in one go, which costs a third of a wake-up for each. With
 * many the wake-ups of the thread are shared by more packets, and may come more often.
 */
const EVERY_MS = { few: 2, many: 1 };
const MANY_SOCKETS = 100;
/** So many sockets are asked for at once. */
const MOST_READY = 256;
/** Datagrams of one socket in one call; a leg has one each 20 ms, and more only after a delay. */
const BATCH = 8;
/** A flood cannot hold the thread: what is left waits for the next look. */
const MOST_ROUNDS = 8;
/** `struct epoll_event` is packed on x64 only (epoll_event(3type)). */
const EVENT = process.arch === 'x64' ? { bytes: 12, dataAt: 4 } : { bytes: 16, dataAt: 8 };

interface Wanted {
  readonly host: string;
  readonly family: 4 | 6;
  readonly port: number;
}

/**
 * Sockets of the kernel, without Node between: one epoll set for all of them.
 *
 * ```
 *   every 1 or 2 ms, and whenever `read` is called:  epoll_wait(no waiting) > recvmmsg of each ready socket > sink
 *   send:                                        sendto, done when it returns
 * ```
 * Nothing runs while no socket is open.
 */
export class SystemNetwork implements RtpNetwork {
  readonly #libc: Libc;
  readonly #descriptors: Descriptors;
  readonly #epoll: number;
  readonly #epollPlace: number;
  readonly #batch: ReceiveBatch;
  readonly #events = Buffer.alloc(MOST_READY * EVENT.bytes);
  /** By their place among the descriptors. */
  readonly #sockets: (SystemSocket | undefined)[] = [];
  #count = 0;
  #timer: NodeJS.Timeout | undefined;

  private constructor(libc: Libc, descriptors: Descriptors, epoll: number, epollPlace: number) {
    this.#libc = libc;
    this.#descriptors = descriptors;
    this.#epoll = epoll;
    this.#epollPlace = epollPlace;
    this.#batch = new ReceiveBatch(libc, BATCH);
  }

  /** Undefined when the system gives no epoll set. */
  static open(libc: Libc, descriptors: Descriptors): SystemNetwork | undefined {
    const epoll = libc.epollCreate1(linux.EPOLL_CLOEXEC);
    if (epoll < 0) return undefined;
    const place = descriptors.keep(epoll);
    if (place !== undefined) return new SystemNetwork(libc, descriptors, epoll, place);
    libc.close(epoll);
    return undefined;
  }

  readonly read = (): void => {
    const nowMs = performance.now();
    for (let round = 0; round < MOST_ROUNDS; round++) {
      const ready = this.#libc.epollWait(this.#epoll, this.#events, MOST_READY, 0);
      for (let i = 0; i < ready; i++) {
        const place = this.#events.readInt32LE(i * EVENT.bytes + EVENT.dataAt);
        this.#sockets[place]?.receive(this.#batch, nowMs);
      }
      if (ready < MOST_READY) return;
    }
  };

  async open(host: string, family: 4 | 6, port: number): Promise<Result<RtpSocket, SocketFault>> {
    const libc = this.#libc;
    const refused = (): Result<RtpSocket, SocketFault> => {
      const errno = libc.errno();
      return noSocket(errno === linux.EADDRINUSE, host, port, reasonOf(errno));
    };
    const fd = libc.socket(family === 6 ? linux.AF_INET6 : linux.AF_INET, linux.DATAGRAM_SOCKET, 0);
    if (fd < 0) return refused();
    const place = this.#descriptors.keep(fd);
    if (place === undefined) {
      libc.close(fd);
      return noSocket(false, host, port, 'this worker has as many as it may have');
    }
    if (!this.#settle(fd, place, { host, family, port })) {
      const fault = refused();
      this.#shut(fd, place);
      return fault;
    }
    const socket = new SystemSocket(libc, family, fd, () => {
      this.#sockets[place] = undefined;
      this.#count--;
      this.#shut(fd, place);
    });
    this.#sockets[place] = socket;
    this.#count++;
    if (this.#timer === undefined) this.#lookLater();
    return ok(socket);
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#shut(this.#epoll, this.#epollPlace);
  }

  #settle(fd: number, place: number, { host, family, port }: Wanted): boolean {
    const libc = this.#libc;
    const on = new Uint8Array(new Int32Array([1]).buffer);
    if (family === 6 && libc.setsockopt(fd, linux.IPPROTO_IPV6, linux.IPV6_V6ONLY, on, 4) < 0) return false;
    const address = new Uint8Array(ADDRESS_BYTES);
    const length = writeSocketAddress(libc, family, { host, port }, address);
    if (libc.bind(fd, address, length) < 0) return false;
    const event = Buffer.alloc(EVENT.bytes);
    event.writeUInt32LE(linux.EPOLLIN, 0);
    event.writeInt32LE(place, EVENT.dataAt);
    return libc.epollCtl(this.#epoll, linux.EPOLL_CTL_ADD, fd, event) === 0;
  }

  /** In this order: a number that is noted longer than it is open could be closed when it belongs to another owner already. */
  #shut(fd: number, place: number): void {
    this.#descriptors.drop(place);
    this.#libc.close(fd);
  }

  readonly #look = (): void => {
    this.#timer = undefined;
    this.read();
    if (this.#count > 0) this.#lookLater();
  };

  #lookLater(): void {
    this.#timer = setTimeout(this.#look, this.#count < MANY_SOCKETS ? EVERY_MS.few : EVERY_MS.many);
  }
}
