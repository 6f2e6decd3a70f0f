import type { SessionNews } from '../../../sip/dialog/index.ts';

/** Message that carried an offer. */
export type Carrier = Extract<SessionNews, { readonly kind: 'offered' }>['by'];
