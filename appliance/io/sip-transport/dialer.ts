import { isIP, type Socket, connect as tcpConnect } from 'node:net';
import { connect as tlsConnect } from 'node:tls';
import { fail, ok, type Result } from '#shared/result.ts';
import type { ConnectFailure, ConnectOptions, TlsCredentials } from './sip-transport.ts';
import { identityProblem } from './tls-identity.ts';
import { authorities, tlsOptions } from './tls-options.ts';

export interface Target {
  readonly transport: 'TCP' | 'TLS';
  readonly host: string;
  readonly port: number;
  readonly options: ConnectOptions;
}

/** A connected socket, for TLS with the peer's identity checked. `timeoutMs` covers name, TCP and TLS. */
export function dial(
  target: Target,
  credentials: TlsCredentials | undefined,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<Result<Socket, ConnectFailure>> {
  return new Promise((resolve) => {
    let refused: string | undefined;
    const socket =
      target.transport === 'TCP'
        ? dialTcp(target)
        : dialTls(target, credentials, (problem) => {
            refused = problem;
          });
    const timer = setTimeout(() => done(`no connection after ${timeoutMs} ms`), timeoutMs);
    const abort = () => done('given up, the transport closes');
    const done = (reason?: string) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
      socket.removeListener('error', failed);
      if (reason === undefined) return resolve(ok(socket));
      socket.on('error', () => undefined);
      socket.destroy();
      const where = `${target.transport} ${target.host} port ${target.port}`;
      resolve(
        refused === undefined
          ? fail('Unreachable', `${where}: ${reason}`)
          : fail('IdentityRefused', `${where}: ${refused}`),
      );
    };
    const failed = (error: Error) => done(error.message);
    signal.addEventListener('abort', abort);
    socket.once('error', failed);
    socket.once(target.transport === 'TCP' ? 'connect' : 'secureConnect', () => done());
  });
}

const dialTcp = (target: Target): Socket => tcpConnect({ host: target.host, port: target.port });

function dialTls(
  target: Target,
  credentials: TlsCredentials | undefined,
  refuse: (problem: string) => void,
): Socket {
  const domain = target.options.domain ?? target.host;
  const trust = target.options.trust === true;
  const socket = tlsConnect({
    ...(credentials === undefined ? { minVersion: 'TLSv1.2' as const } : tlsOptions(credentials)),
    host: target.host,
    port: target.port,
    // RFC 6066 3: a server name is a name, never an address.
    ...(isIP(domain) === 0 ? { servername: domain } : {}),
    ca: authorities(credentials),
    rejectUnauthorized: !trust,
    checkServerIdentity: (_host, certificate) => {
      const problem = identityProblem(domain, certificate);
      if (problem === undefined) return undefined;
      refuse(problem);
      return new Error(problem);
    },
  });
  if (!trust) {
    socket.once('error', (error: NodeJS.ErrnoException) => {
      // A chain nobody vouches for is the peer's identity too; a refused connection is not.
      if (socket.authorizationError !== undefined && socket.authorizationError !== null)
        refuse(error.message);
    });
  }
  return socket;
}
