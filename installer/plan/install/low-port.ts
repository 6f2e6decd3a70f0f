import type { Written } from './configuration.ts';

/** Settings that name a listener. */
const LISTENERS = [
  'sip_udp',
  'sip_tcp',
  'sip_tls',
  'dc09',
  'appliance_http',
  'command_queue',
  'peer',
] as const;
const FIRST_FREE_PORT = 1_024;

/**
 * Lines of the unit for a port below 1024: it takes a capability, which means nothing inside a user namespace of its own
 * (capabilities(7), user_namespaces(7)). Everybody else goes on without.
 */
export function lowPortLines(written: Written): readonly string[] {
  const ports = LISTENERS.flatMap((key) => (written[key] ?? '').split(',')).flatMap((at) => {
    const port = /:(\d+)\s*$/.exec(at)?.[1];
    return port === undefined ? [] : [Number(port)];
  });
  const low = [...new Set(ports)].filter((port) => port < FIRST_FREE_PORT).sort((a, b) => a - b);
  if (low.length === 0) return [];
  return [
    `# Port ${low.join(', ')}`,
    'CapabilityBoundingSet=CAP_NET_BIND_SERVICE',
    'AmbientCapabilities=CAP_NET_BIND_SERVICE',
    'PrivateUsers=no',
  ];
}
