/**
 * Where a program of this machine reaches a listener, as `ADDRESS:PORT`: one on every address by the loopback address of its own
 * family, since what listens on `[::]` hears no IPv4.
 */
export function reachedAt({ host, port }: { readonly host: string; readonly port: number }): string {
  const address = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `${address.includes(':') ? `[${address}]` : address}:${port}`;
}
