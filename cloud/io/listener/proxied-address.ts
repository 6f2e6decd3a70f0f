import { BlockList, isIPv6, type Server, type Socket } from 'node:net';
import { readProxyHeader } from './proxy-header.ts';

/** Load balancers whose word about the address of a caller counts. */
export interface ProxyTrust {
  /** `10.0.0.0/8`, `fd00::/8`: connections from there begin with a PROXY header of version 2, all others have none. */
  readonly networks: readonly string[];
  readonly onRefused: (refused: { readonly address: string; readonly reason: string }) => void;
}

/** A load balancer sends the header at once. */
const HEADER_MS = 5_000;

/**
 * Puts a reader of PROXY headers in front of a server. Whether there is a header is decided by the address of the load balancer
 * alone and never guessed: else a caller could write one of its own, and be whoever it likes.
 */
export function behindProxies(
  server: Server,
  trust: ProxyTrust,
): { readonly take: (socket: Socket) => void; readonly close: () => void } {
  const trusted = new BlockList();
  for (const network of trust.networks) {
    const [address = '', prefix] = network.split('/');
    trusted.addSubnet(address, Number(prefix), isIPv6(address) ? 'ipv6' : 'ipv4');
  }
  const isTrusted = (address: string): boolean =>
    trusted.check(plainOf(address), isIPv6(plainOf(address)) ? 'ipv6' : 'ipv4');
  // A TLS connection is another object than the one that it came in by, and has its four numbers.
  const sources = new Map<string, string>();
  /** Connections whose header is not read yet. */
  const waiting = new Set<Socket>();
  const retell = (secure: Socket): void => {
    const source = sources.get(nameOf(secure));
    if (source !== undefined) show(secure, source);
  };
  server.prependListener('secureConnection', retell);
  server.prependListener('tlsClientError', (_: Error, secure: Socket) => retell(secure));

  const take = (socket: Socket): void => {
    const address = socket.remoteAddress;
    if (address === undefined || !isTrusted(address)) {
      server.emit('connection', socket);
      return;
    }
    waiting.add(socket);
    socket.once('close', () => waiting.delete(socket));
    readHeader(socket, (source) => {
      waiting.delete(socket);
      if (typeof source === 'object') {
        trust.onRefused({ address: plainOf(address), reason: source.reason });
        socket.destroy();
        return;
      }
      if (source !== undefined) {
        const name = nameOf(socket);
        sources.set(name, source);
        socket.once('close', () => sources.delete(name));
        show(socket, source);
      }
      server.emit('connection', socket);
    });
  };
  const close = (): void => {
    for (const socket of waiting) socket.destroy();
  };
  return { take, close };
}

/** Takes the header off a connection, and nothing behind it; calls once, unless the connection ends before. */
function readHeader(
  socket: Socket,
  done: (source: string | undefined | { readonly reason: string }) => void,
): void {
  let head = Buffer.alloc(0);
  let needs = SIGNATURE_BYTES;
  const late = setTimeout(
    () => over({ reason: `no whole PROXY header came within ${HEADER_MS / 1_000} s` }),
    HEADER_MS,
  );
  const quiet = (): void => undefined;
  const over = (source: Parameters<typeof done>[0]): void => {
    clearTimeout(late);
    socket.off('readable', read).off('close', left);
    // The stream notes a moment later that it is not read this way any more; until then nothing would flow.
    setImmediate(() => {
      socket.off('error', quiet);
      if (!socket.destroyed) done(source);
    });
  };
  const left = (): void => clearTimeout(late);
  const read = (): void => {
    for (;;) {
      // The signature is read as it comes, so that a stranger's short greeting is recognised; the rest is read as a whole.
      const least = head.length < SIGNATURE_BYTES ? 1 : needs - head.length;
      const more: Buffer | null = socket.read(
        Math.max(least, Math.min(needs - head.length, socket.readableLength)),
      );
      if (more === null) return;
      head = Buffer.concat([head, more]);
      const found = readProxyHeader(head);
      if (found.kind !== 'short') {
        over(found.kind === 'bad' ? { reason: found.reason } : found.source);
        return;
      }
      needs = head.length < SIGNATURE_BYTES ? SIGNATURE_BYTES : found.needs;
    }
  };
  socket.on('error', quiet).once('close', left).on('readable', read);
}

const SIGNATURE_BYTES = 12;

const nameOf = ({ remoteAddress, remotePort, localAddress, localPort }: Socket): string =>
  `${remoteAddress} ${remotePort} ${localAddress} ${localPort}`;

/** An IPv4 address that came in by a socket of both families. */
const plainOf = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/, '');

/** Everything that asks the connection for its address gets that of the caller. */
function show(socket: Socket, source: string): void {
  Object.defineProperty(socket, 'remoteAddress', { value: source, configurable: true });
}
