import {
  acknowledge,
  cancel,
  deliver,
  ENDED,
  failTimeout,
  failTransport,
  ignore,
  OTHER_TIMER,
  repeat,
  STALE,
  type Step,
  send,
  start,
  stop,
  type Table,
  to,
} from './machine.ts';

/*
 * RFC 6026 7.2, figure 6 (replaces RFC 3261 figure 5). Timer A runs on unreliable transports only.
 *
 *                    INVITE: send, start A, start B
 *                             |
 *                             V
 *      timer A:          +---------+ 2xx: deliver, start M
 *      repeat, A x 2     | Calling |------------------------------+
 *                        +---------+                              |
 *   300-699: deliver,     |      | 1xx: deliver                   |
 *   acknowledge, start D  |      V                                |
 *       +-----------------+  +------------+ 2xx: deliver, start M |
 *       |                    | Proceeding |---------------------->+
 *       |  +-----------------+------------+                       |
 *       |  | 300-699: same       cancel: cancel, start B          |
 *       V  V                                                      V
 *     +-----------+ 300-699: repeat (the ACK)            +----------+ 2xx: deliver
 *     | Completed |                                      | Accepted | (forks and retransmissions)
 *     +-----------+                                      +----------+
 *           | timer D, transport error                        | timer M
 *           V                                                 V
 *     +--------------------------------------------------------------+
 *     |      Terminated (from Calling, Proceeding: timer B, fail)    |
 *     +--------------------------------------------------------------+
 *
 * `cancel` is RFC 3261 9.1: CANCEL leaves only after a provisional response, and a peer that then never
 * answers ends after another 64 x T1, which is what timer B counts in Proceeding.
 */
export type InviteClientState = 'Calling' | 'Proceeding' | 'Completed' | 'Accepted' | 'Terminated';
export type InviteClientInput =
  | '1xx'
  | '2xx'
  | '300-699'
  | 'cancel'
  | 'timer A'
  | 'timer B'
  | 'timer D'
  | 'timer M'
  | 'transport error';

const ANSWERED = 'the call was answered or refused already';

const TABLE: Table<InviteClientState, InviteClientInput> = {
  Calling: {
    '1xx': to('Proceeding', stop('A'), stop('B'), deliver),
    '2xx': to('Accepted', stop('A'), stop('B'), start('M'), deliver),
    '300-699': to('Completed', stop('A'), stop('B'), acknowledge, start('D'), deliver),
    cancel: ignore('Calling', 'waits for a provisional response; the endpoint remembers the cancel (9.1)'),
    'timer A': to('Calling', repeat, start('A', 'doubled')),
    'timer B': to('Terminated', failTimeout),
    'timer D': ignore('Calling', OTHER_TIMER),
    'timer M': ignore('Calling', OTHER_TIMER),
    'transport error': to('Terminated', failTransport),
  },
  Proceeding: {
    '1xx': to('Proceeding', deliver),
    '2xx': to('Accepted', stop('B'), start('M'), deliver),
    '300-699': to('Completed', stop('B'), acknowledge, start('D'), deliver),
    cancel: to('Proceeding', cancel, start('B')),
    'timer A': ignore('Proceeding', STALE),
    'timer B': to('Terminated', failTimeout),
    'timer D': ignore('Proceeding', OTHER_TIMER),
    'timer M': ignore('Proceeding', OTHER_TIMER),
    'transport error': to('Terminated', failTransport),
  },
  Completed: {
    '1xx': ignore('Completed', 'late, the final response was delivered'),
    '2xx': ignore('Completed', 'a proxy never sends a 2xx behind another final response'),
    '300-699': to('Completed', repeat),
    cancel: ignore('Completed', ANSWERED),
    'timer A': ignore('Completed', STALE),
    'timer B': ignore('Completed', STALE),
    'timer D': to('Terminated'),
    'timer M': ignore('Completed', OTHER_TIMER),
    // Chosen: figure 6 informs the transaction user here; it has its final response already and hears one only.
    'transport error': to('Terminated'),
  },
  Accepted: {
    '1xx': ignore('Accepted', 'late, a 2xx was delivered'),
    '2xx': to('Accepted', deliver),
    '300-699': ignore('Accepted', 'late, a 2xx was delivered'),
    cancel: ignore('Accepted', ANSWERED),
    'timer A': ignore('Accepted', STALE),
    'timer B': ignore('Accepted', STALE),
    'timer D': ignore('Accepted', OTHER_TIMER),
    'timer M': to('Terminated'),
    'transport error': ignore('Accepted', 'the ACK is the business of the transaction user'),
  },
  Terminated: {
    '1xx': ignore('Terminated', ENDED),
    '2xx': ignore('Terminated', ENDED),
    '300-699': ignore('Terminated', ENDED),
    cancel: ignore('Terminated', ENDED),
    'timer A': ignore('Terminated', ENDED),
    'timer B': ignore('Terminated', ENDED),
    'timer D': ignore('Terminated', ENDED),
    'timer M': ignore('Terminated', ENDED),
    'transport error': ignore('Terminated', ENDED),
  },
};

export const inviteClient = {
  table: TABLE,
  initial: to<InviteClientState>('Calling', start('B'), start('A'), send),
  step: (state: InviteClientState, input: InviteClientInput): Step<InviteClientState> => TABLE[state][input],
};
