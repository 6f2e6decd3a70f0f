import { isIP, type Socket, connect as tcpConnect } from 'node:net';
import { type SecureContext, connect as tlsConnect } from 'node:tls';
import { fail, ok, type Result } from '#shared/result.ts';
import type { ConnectFailure, ConnectOptions } from './sip-transport.ts';
import { identityProblem } from './tls-identity.ts';

export interface Target {
  readonly transport: 'TCP' | 'TLS';
  readonly host: string;
  readonly port: number;
  readonly options: ConnectOptions;
}

/** A connected socket, for TLS with the peer's identity checked. `timeoutMs` covers name, TCP and TLS. */
export function dial(
  target: Target,
  context: SecureContext | undefined,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<Result<Socket, ConnectFailure>> {
  return new Promise((resolve) => {
    let refused: string | undefined;
    const refuse = (problem: string) => {
      refused = problem;
    };
    const { host, port } = target;
    const socket = target.transport === 'TCP' ? tcpConnect({ host, port }) : dialTls(target, context, refuse);
    const abort = () => done('given up, the transport closes');
    const done = (reason?: string) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
      socket.removeListener('error', failed);
      if (reason === undefined) return resolve(ok(socket));
      // Destroying may bring out a second error, of which everything is known already.
      socket.on('error', () => undefined);
      socket.destroy();
      const code = refused === undefined ? 'Unreachable' : 'IdentityRefused';
      resolve(fail(code, `${target.transport} ${host} port ${port}: ${refused ?? reason}`));
    };
    const failed = (error: Error) => done(error.message);
    const timer = setTimeout(() => done(`no connection after ${timeoutMs} ms`), timeoutMs);
    signal.addEventListener('abort', abort);
    socket.once('error', failed);
    socket.once(target.transport === 'TCP' ? 'connect' : 'secureConnect', () => done());
  });
}

function dialTls(
  target: Target,
  context: SecureContext | undefined,
  refuse: (problem: string) => void,
): Socket {
  const domain = target.options.domain ?? target.host;
  const trust = target.options.trust === true;
  const socket = tlsConnect({
    ...(context === undefined ? {} : { secureContext: context }),
    host: target.host,
    port: target.port,
    // RFC 6066 3: a server name is a name, never an address.
    ...(isIP(domain) === 0 ? { servername: domain } : {}),
    rejectUnauthorized: !trust,
    checkServerIdentity: (_host, certificate) => {
      const problem = identityProblem(domain, certificate);
      if (problem === undefined) return undefined;
      refuse(problem);
      return new Error(problem);
    },
  });
  socket.once('error', (error) => {
    // A chain without a trusted issuer is a matter of identity too; a connection that was reset is not.
    if (!trust && socket.authorizationError) refuse(error.message);
  });
  return socket;
}
