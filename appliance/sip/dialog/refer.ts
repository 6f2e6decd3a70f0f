import type { HeaderFields } from '../message/index.ts';
import type { Content } from './dialog.ts';

/*
 * A transfer's bookkeeping (RFC 3515): REFER makes a subscription to how the referred call goes.
 *
 *   who was asked (referee)                              who asked (referrer)
 *
 *   +-------+ decline: 300-699      +------+             +-------+ 300-699, no answer     +------+
 *   | Asked | --------------------> | Done |             | Asked | ---------------------> | Done |
 *   +-------+                       +------+             +-------+                        +------+
 *       | accept: 202, NOTIFY 100      ^                     | 2xx, NOTIFY                  ^
 *       V                              |                     V                              |
 *   +--------+ final, expired:         |                 +--------+ NOTIFY final,           |
 *   | Trying | ------------------------+                 | Trying | terminated, expired     |
 *   +--------+   NOTIFY, terminated                      +--------+ ------------------------+
 *     progress: NOTIFY                                     NOTIFY 1xx: reported
 */
export type ReferState = 'Asked' | 'Trying' | 'Done';

export type RefereeInput =
  | { readonly kind: 'accept' }
  | { readonly kind: 'decline'; readonly status: number }
  /** The call we made for it: 1xx, or its final status. */
  | { readonly kind: 'progress'; readonly status: number }
  | { readonly kind: 'final'; readonly status: number }
  | { readonly kind: 'expired' };

export type RefereeEffect =
  | { readonly kind: 'respond'; readonly status: number; readonly headers: HeaderFields }
  /** NOTIFY in the dialog of the REFER. */
  | { readonly kind: 'notify'; readonly content: Content };

export type ReferrerInput =
  /** Final status of the REFER; 408 when no answer came. */
  | { readonly kind: 'answered'; readonly status: number }
  /** NOTIFY: status line in its body, undefined when unreadable; `over`: Subscription-State is terminated. */
  | { readonly kind: 'notified'; readonly status: number | undefined; readonly over: boolean }
  | { readonly kind: 'expired' };

export type ReferrerEffect =
  | { readonly kind: 'progressed'; readonly status: number }
  /** How it ended. 0: unknown. */
  | { readonly kind: 'finished'; readonly status: number };

export interface ReferStep<E> {
  readonly state: ReferState;
  readonly effects: readonly E[];
  readonly ignored?: string;
}

/** Seconds a transfer may take; afterwards the subscription ends by itself. */
const REFER_EXPIRES_S = 180;

const to = <E>(state: ReferState, ...effects: readonly E[]): ReferStep<E> => ({ state, effects });
const ignore = (state: ReferState, ignored: string): ReferStep<never> => ({ state, effects: [], ignored });

type Table<I extends { readonly kind: string }, E> = {
  readonly [S in ReferState]: {
    readonly [K in I['kind']]: (input: Extract<I, { readonly kind: K }>) => ReferStep<E>;
  };
};

const DONE = 'the transfer is over';
const UNANSWERED = 'the REFER is not even answered';

const REFEREE: Table<RefereeInput, RefereeEffect> = {
  Asked: {
    accept: () =>
      to<RefereeEffect>('Trying', { kind: 'respond', status: 202, headers: [] }, notify(100, false)),
    decline: ({ status }) => to<RefereeEffect>('Done', { kind: 'respond', status, headers: [] }),
    progress: () => ignore('Asked', UNANSWERED),
    final: () => ignore('Asked', UNANSWERED),
    expired: () => ignore('Asked', UNANSWERED),
  },
  Trying: {
    accept: () => ignore('Trying', 'it was accepted before'),
    decline: () => ignore('Trying', 'it was accepted before; a final status ends it'),
    progress: ({ status }) => to('Trying', notify(status, false)),
    final: ({ status }) => to('Done', notify(status, true)),
    expired: () => to('Done', notify(408, true)),
  },
  Done: {
    accept: () => ignore('Done', DONE),
    decline: () => ignore('Done', DONE),
    progress: () => ignore('Done', DONE),
    final: () => ignore('Done', DONE),
    expired: () => ignore('Done', DONE),
  },
};

/** A final status inside `notified` ends it even when the peer forgets to say so. */
const onNotified = ({
  status,
  over,
}: Extract<ReferrerInput, { kind: 'notified' }>): ReferStep<ReferrerEffect> => {
  if (status !== undefined && status >= 200) return to('Done', { kind: 'finished', status });
  if (over) return to('Done', { kind: 'finished', status: 0 });
  return status === undefined
    ? ignore('Trying', 'a NOTIFY without a status line tells nothing')
    : to('Trying', { kind: 'progressed', status });
};

const REFERRER: Table<ReferrerInput, ReferrerEffect> = {
  Asked: {
    answered: ({ status }) =>
      status < 300 ? to<ReferrerEffect>('Trying') : to('Done', { kind: 'finished', status }),
    // 2.4.4: NOTIFY may overtake the response to the REFER.
    notified: onNotified,
    expired: () => to('Done', { kind: 'finished', status: 0 }),
  },
  Trying: {
    answered: ({ status }) =>
      status < 300 ? ignore('Trying', 'a NOTIFY said so before') : to('Done', { kind: 'finished', status }),
    notified: onNotified,
    expired: () => to('Done', { kind: 'finished', status: 0 }),
  },
  Done: {
    answered: () => ignore('Done', DONE),
    notified: () => ignore('Done', DONE),
    expired: () => ignore('Done', DONE),
  },
};

export const referee = {
  table: REFEREE,
  initial: 'Asked' as ReferState,
  step: (state: ReferState, input: RefereeInput): ReferStep<RefereeEffect> =>
    (REFEREE[state][input.kind] as (each: RefereeInput) => ReferStep<RefereeEffect>)(input),
};

export const referrer = {
  table: REFERRER,
  initial: 'Asked' as ReferState,
  step: (state: ReferState, input: ReferrerInput): ReferStep<ReferrerEffect> =>
    (REFERRER[state][input.kind] as (each: ReferrerInput) => ReferStep<ReferrerEffect>)(input),
};

/** Event and Subscription-State of RFC 6665, body of RFC 3420. */
function notify(status: number, over: boolean): RefereeEffect {
  const headers: HeaderFields = [
    ['Event', 'refer'],
    ['Subscription-State', over ? 'terminated;reason=noresource' : `active;expires=${REFER_EXPIRES_S}`],
    ['Content-Type', 'message/sipfrag;version=2.0'],
  ];
  return {
    kind: 'notify',
    content: { headers, body: Buffer.from(`SIP/2.0 ${status} ${phrase(status)}\r\n`) },
  };
}

const phrase = (status: number): string => {
  if (status < 200) return 'Trying';
  return status < 300 ? 'OK' : 'Failed';
};

/** Status of a `message/sipfrag` body (RFC 3420); undefined when it begins with no status line. */
export function fragmentStatus(body: Uint8Array): number | undefined {
  const found = /^SIP\/2\.0 ([1-6]\d\d)(?:[ \r\n]|$)/i.exec(
    Buffer.from(body.subarray(0, 64)).toString('latin1'),
  );
  return found === null ? undefined : Number(found[1]);
}

/** The input of a NOTIFY for the referrer; `subscriptionState` is the raw field. */
export const notified = (subscriptionState: string | undefined, body: Uint8Array): ReferrerInput => ({
  kind: 'notified',
  status: fragmentStatus(body),
  over: /^terminated\b/i.test(subscriptionState ?? ''),
});
