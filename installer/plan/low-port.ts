import type { Written } from './configuration.ts';

/** Settings that name a listener. */
const LISTENERS = ['sip_udp', 'sip_tcp', 'sip_tls', 'dc09', 'appliance_http', 'command_queue'] as const;
const FIRST_FREE_PORT = 1_024;

/**
 * What the unit needs on top for these settings: a port below 1024 takes a capability, which means nothing inside a user
 * namespace of its own (capabilities(7), user_namespaces(7)). Everybody else goes on without.
 */
export function dropInText(written: Written): string {
  const low = LISTENERS.map((key) => Number(/:(\d+)$/.exec(written[key] ?? '')?.[1] ?? FIRST_FREE_PORT))
    .filter((port) => port < FIRST_FREE_PORT)
    .sort((a, b) => a - b);
  const head = '# Written by `carillon configure`; what is yours goes into another file of this folder.\n';
  if (low.length === 0) return `${head}# No listener is below port 1024: nothing is needed.\n`;
  return `${head}[Service]
# Port ${low.join(', ')}
CapabilityBoundingSet=CAP_NET_BIND_SERVICE
AmbientCapabilities=CAP_NET_BIND_SERVICE
PrivateUsers=no
`;
}
