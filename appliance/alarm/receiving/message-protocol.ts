import type { MessageProtocol } from '../protocol/index.ts';
import { LACS } from '../protocol/lacs/index.ts';

/**
 * Protocols of SIP messages that are stored and answered; each row is all that a new one needs to be received. A bridge may name it
 * once it stands in `PROTOCOL_FAMILY`.
 */
export const MESSAGE_PROTOCOLS: readonly MessageProtocol[] = [LACS];
