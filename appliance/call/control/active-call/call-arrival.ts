import type { Flow, ServerTransaction } from '../../../sip/endpoint/index.ts';
import type { SipRequest } from '../../../sip/message/index.ts';
import type { Caller } from '../../route/index.ts';

/** An INVITE outside a dialog whose sender is known. */
export interface CallArrival {
  readonly request: SipRequest;
  readonly server: ServerTransaction;
  readonly flow: Flow;
  readonly nowMs: number;
  readonly caller: Caller;
}
