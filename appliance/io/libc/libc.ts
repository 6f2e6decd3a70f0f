import { getSystemErrorMap } from 'node:util';

/** Figures of Linux, the same on x64 and arm64. */
export const AF_INET = 2;
export const AF_INET6 = 10;
export const EADDRINUSE = 98;
/** Non-blocking, and not handed to programs that we start. */
export const DATAGRAM_SOCKET = 2 | 0o4000 | 0o2000000;
export const IPPROTO_IPV6 = 41;
export const IPV6_V6ONLY = 26;
export const EPOLL_CLOEXEC = 0o2000000;
export const EPOLL_CTL_ADD = 1;
export const EPOLLIN = 1;
export const MSG_DONTWAIT = 0x40;
export const MSG_TRUNC = 0x20;

/**
 * The calls of the C library that we make ourselves, as its manual describes them (sections 2 and 3): what fails answers
 * −1, the reason is in `errno`. Memory is passed as the bytes themselves; whoever writes an address into memory keeps what
 * lies there alive.
 */
export interface Libc {
  socket(domain: number, type: number, protocol: number): number;
  bind(fd: number, address: Uint8Array, length: number): number;
  setsockopt(fd: number, level: number, name: number, value: Uint8Array, length: number): number;
  sendto(
    fd: number,
    bytes: Uint8Array,
    length: number,
    flags: number,
    to: Uint8Array,
    toLength: number,
  ): number;
  recvmmsg(fd: number, headers: Uint8Array, count: number, flags: number, timeout: null): number;
  epollCreate1(flags: number): number;
  epollCtl(epoll: number, operation: number, fd: number, event: Uint8Array): number;
  epollWait(epoll: number, events: Uint8Array, most: number, timeoutMs: number): number;
  close(fd: number): number;
  inetPton(family: number, text: string, address: Uint8Array): number;
  inetNtop(family: number, address: Uint8Array, text: Uint8Array, size: number): string | null;
  ifNametoindex(name: string): number;
  ifIndextoname(index: number, name: Uint8Array): string | null;
  /** Where bytes lie; they stay there as long as something holds them. */
  address(bytes: Uint8Array): bigint;
  errno(): number;
}

/**
 * Binds the calls; undefined where there is no Linux with glibc or nothing to call it with: `why` gets the reason. Done
 * once in each thread that wants it, for the others pay nothing.
 */
export async function openLibc(why: (reason: string) => void = () => {}): Promise<Libc | undefined> {
  if (process.platform !== 'linux') {
    why(`this is ${process.platform}, not Linux`);
    return undefined;
  }
  try {
    const { default: koffi } = await import('koffi');
    const library = koffi.load('libc.so.6');
    const call = <T>(prototype: string): T => library.func(prototype) as unknown as T;
    return {
      socket: call('int socket(int, int, int)'),
      bind: call('int bind(int, const void*, uint32_t)'),
      setsockopt: call('int setsockopt(int, int, int, const void*, uint32_t)'),
      sendto: call('intptr_t sendto(int, const void*, size_t, int, const void*, uint32_t)'),
      recvmmsg: call('int recvmmsg(int, void*, uint32_t, int, void*)'),
      epollCreate1: call('int epoll_create1(int)'),
      epollCtl: call('int epoll_ctl(int, int, int, void*)'),
      epollWait: call('int epoll_wait(int, void*, int, int)'),
      close: call('int close(int)'),
      inetPton: call('int inet_pton(int, const char*, void*)'),
      inetNtop: call('const char *inet_ntop(int, const void*, void*, uint32_t)'),
      ifNametoindex: call('uint32_t if_nametoindex(const char*)'),
      ifIndextoname: call('const char *if_indextoname(uint32_t, void*)'),
      address: (bytes) => koffi.address(bytes),
      errno: () => koffi.errno(),
    };
  } catch (error) {
    why(error instanceof Error ? error.message : String(error));
    return undefined;
  }
}

/** An `errno` in words, with its name. */
export function reasonOf(errno: number): string {
  const [name, text] = getSystemErrorMap().get(-errno) ?? [];
  return name === undefined ? `error ${errno}` : `${text} (${name})`;
}
