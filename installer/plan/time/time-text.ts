import { ORPHAN_STRATUM } from '#shared/time-source/index.ts';

/** Where this host has its time from, and whom it gives it. */
export interface TimePlace {
  /** Named by a person or by the network. */
  readonly servers: readonly string[];
  readonly gateways: readonly string[];
  /** The other hosts of the site. */
  readonly peers: readonly string[];
}

const HEAD = '# Time of this host, as `carillon configure` writes it';

/** Did we write this drop-in of chrony? */
export const isOurTime = (text: string): boolean => text.startsWith(HEAD);

/**
 * Drop-in of chrony (control plane, section 8): the site's gateway and the servers of the settings; hosts of one site serve
 * each other. `orphan`: with no server in reach the hosts choose one of them by its address and follow it, so that the site has
 * one time; as soon as a server answers, it counts and the hosts among themselves do not.
 */
export function chronyText({ servers, gateways, peers }: TimePlace): string {
  const sections = [
    servers.length === 0 ? [] : ['# Servers that were named.', ...servers.map(asked)],
    gateways.length === 0
      ? []
      : [
          '# The gateway of the site: it may have the time where the line lets none through. One that serves none is not counted.',
          ...gateways.map(asked),
        ],
    peers.length === 0 ? [] : together(peers),
  ].filter((section) => section.length > 0);
  return `${HEAD} for chrony.
# What you change here goes with the next \`carillon configure\`; other files of this folder stay.

${sections.map((section) => section.join('\n')).join('\n\n')}
`;
}

const asked = (server: string): string => `server ${server} iburst`;

const together = (peers: readonly string[]): readonly string[] => [
  '# The other hosts of the site: asked each 4 to 16 s, so that they agree soon after a start without a line. They alone may ask here.',
  ...peers.map((peer) => `${asked(peer)} minpoll 2 maxpoll 4`),
  ...peers.map((peer) => `allow ${peer}`),
  '# While no server answers the hosts keep one time together. From this stratum on everybody sees that it is the own time of a site.',
  `local stratum ${ORPHAN_STRATUM} orphan`,
];

/** The directives alone, as chronyd takes them for arguments. */
export const directives = (text: string): readonly string[] =>
  text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
