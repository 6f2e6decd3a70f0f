import { hostPort } from '../host-port.ts';
import type { Listen } from './parse.ts';
import { familyOf } from './shared-address.ts';

/**
 * The advice when no listener can open at an address that the setting `env` names, as the second half of a sentence. `code`:
 * the error of the system (socket(2), bind(2)). A machine without IPv6 says EAFNOSUPPORT to every such address, one where it is
 * switched off EADDRNOTAVAIL.
 */
export function listenAdvice(env: string, { host, port }: Listen, code: string | undefined): string {
  const ipv6 = familyOf(host) === 'ipv6';
  const family = ipv6 ? 'IPv6' : 'IPv4';
  const without = `take ${hostPort(host, port)} out of ${env}`;
  switch (code) {
    case 'EAFNOSUPPORT':
      return `this machine has no ${family}: ${without}, or switch ${family} on`;
    case 'EADDRNOTAVAIL':
      return `this machine does not have the address${ipv6 ? ', or its IPv6 is switched off' : ''}: ${without}, or give it the address`;
    case 'EADDRINUSE':
      return takenAdvice(`name another address in ${env}`);
    case 'EACCES':
      return `a port below 1024 takes a capability: name a higher one in ${env}, or run carillon configure`;
    default:
      return `see ${env}`;
  }
}

const TAKEN = 'another program has it: end that one, or';

/** The same where the way out is another one. */
export const takenAdvice = (move: string): string => `${TAKEN} ${move}`;

/** The sentence without that advice; undefined: it has none. */
export function beforeTakenAdvice(sentence: string): string | undefined {
  const at = sentence.indexOf(`; ${TAKEN}`);
  return at < 0 ? undefined : sentence.slice(0, at);
}
