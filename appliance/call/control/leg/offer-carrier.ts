import type { SessionEvent } from '../../../sip/dialog/index.ts';

/** Message that carried an offer. */
export type Carrier = Extract<SessionEvent, { readonly kind: 'offered' }>['by'];
