/** An address as it stands in a URI and before a port: IPv6 in brackets (RFC 3986 3.2.2). */
export const bracketed = (host: string): string => (host.includes(':') ? `[${host}]` : host);

/** `192.0.2.1:5060`, `[2001:db8::1]:5060`. */
export const hostPort = (host: string, port: number): string => `${bracketed(host)}:${port}`;

/** The address at which programs of this machine reach a listener: one on every address by the loopback one of its family. */
export function loopbackOf(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  return host === '::' ? '::1' : host;
}

/** Ports that callbacks may go to: that of https, and those that no system service has by right. */
export const isCalledPort = (port: number): boolean => port === 443 || port >= 1024;
