/** Message that carried an offer. The answer's carrier follows from it, see the table. */
export type Carrier = 'INVITE' | '1xx' | '2xx' | 'PRACK' | 'UPDATE';

/*
 * RFC 3264 4 with the carriers of RFC 3261 13.2.1, RFC 3262 5 and RFC 3311 5. One offer at a time:
 *
 *                    send offer                                   receive offer
 *      OfferSent <---------------------- Stable ----------------------> OfferReceived
 *          |   receive answer, fail        ^        send answer, fail        |
 *          +-------------------------------+---------------------------------+
 *
 *   offer in      INVITE            1xx (reliable)   2xx of INVITE   PRACK          UPDATE
 *   answer in     1xx or 2xx        PRACK            ACK             2xx of PRACK   2xx of UPDATE
 *
 * `conflict` tells the caller that the row is not allowed; nothing changes then.
 */
export type ExchangeState = 'Stable' | 'OfferSent' | 'OfferReceived';
export type ExchangeInput = 'send offer' | 'receive offer' | 'send answer' | 'receive answer' | 'fail';

export interface Exchange {
  readonly state: ExchangeState;
  /** Carrier of the open offer; of no meaning in Stable. */
  readonly by: Carrier;
}

type Row = ExchangeState | 'conflict';

const TABLE: Readonly<Record<ExchangeState, Readonly<Record<ExchangeInput, Row>>>> = {
  Stable: {
    'send offer': 'OfferSent',
    'receive offer': 'OfferReceived',
    'send answer': 'conflict', //     nothing was offered
    'receive answer': 'conflict', //  nothing was offered: a description that means nothing, passed over
    fail: 'Stable', //                nothing was open
  },
  OfferSent: {
    'send offer': 'conflict', //      ours waits for its answer
    'receive offer': 'conflict', //   glare: 491
    'send answer': 'conflict', //     nothing was offered to us
    'receive answer': 'Stable',
    fail: 'Stable',
  },
  OfferReceived: {
    'send offer': 'conflict', //      first answer
    'receive offer': 'conflict', //   the peer must wait for our answer: 500
    'send answer': 'Stable',
    'receive answer': 'conflict', //  we offered nothing
    fail: 'Stable',
  },
};

export const offerAnswer = { table: TABLE, initial: { state: 'Stable', by: 'INVITE' } satisfies Exchange };

/** The exchange behind `input`; undefined when the table forbids it. */
export function exchange(now: Exchange, input: ExchangeInput, by: Carrier = now.by): Exchange | undefined {
  const state = TABLE[now.state][input];
  return state === 'conflict' ? undefined : { state, by };
}
