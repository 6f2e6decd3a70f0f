/** An address and port to listen on, as settings give them. */
interface Place {
  readonly host: string;
}

export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || host.startsWith('127.');

const isAny = (host: string): boolean => host === '0.0.0.0' || host === '::';

const hostOf = (url: string): string => new URL(url).hostname.replace(/^\[|\]$/g, '');

/** A host that others can call: a listener on every address is called by the name of the public URL. */
export const callable = (host: string, publicUrl?: string): string =>
  isAny(host) ? (publicUrl === undefined ? 'localhost' : hostOf(publicUrl)) : host;

/** Names and addresses under which the listeners at `places` are reached: what their certificates must name. */
export function serverNames(places: readonly Place[], publicUrl: string): string[] {
  const hosts = places.map(({ host }) => callable(host, publicUrl));
  return [
    ...new Set([...hosts, hostOf(publicUrl), ...(hosts.some(isLoopback) ? ['localhost', '127.0.0.1'] : [])]),
  ];
}
