import { hostPort, loopbackOf } from '#shared/host-port.ts';

/**
 * Where a program of this machine reaches a listener, as `ADDRESS:PORT`: one on every address by the loopback address of its own
 * family, since what listens on `[::]` hears no IPv4.
 */
export function reachedAt({ host, port }: { readonly host: string; readonly port: number }): string {
  return hostPort(loopbackOf(host), port);
}
