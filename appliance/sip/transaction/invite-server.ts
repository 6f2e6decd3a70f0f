import {
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
 * RFC 6026 7.1, figure 5 (replaces RFC 3261 figure 7). Timer G runs on unreliable transports only.
 *
 *                        INVITE: deliver
 *                             |
 *                             V
 *     INVITE: repeat   +------------+ 1xx: send
 *                +-----| Proceeding |-----+      transport error: fail, stay
 *                +---->+------------+<----+
 *   300-699: send,      |          | 2xx: send, start L
 *   start G, start H    |          +-------------------------+
 *                       V                                    V
 *     INVITE: repeat  +-----------+ timer G: repeat,   +----------+ INVITE: ignored
 *                +----| Completed |-----+ G x 2        | Accepted |-----+ ACK: deliver
 *                +--->+-----------+<----+ (T2 at most) +----------+<----+ 2xx: send
 *      timer H: fail |   | ACK: start I                      | timer L
 *                    |   V                                   |
 *                    |  +-----------+ INVITE, ACK: ignored   |
 *                    |  | Confirmed |                        |
 *                    |  +-----------+                        |
 *                    |    | timer I                          |
 *                    V    V                                  V
 *               +----------------------------------------------+
 *               |                 Terminated                   |
 *               +----------------------------------------------+
 */
export type InviteServerState = 'Proceeding' | 'Completed' | 'Confirmed' | 'Accepted' | 'Terminated';
export type InviteServerInput =
  | 'request'
  | 'ACK'
  | '1xx'
  | '2xx'
  | '300-699'
  | 'timer G'
  | 'timer H'
  | 'timer I'
  | 'timer L'
  | 'transport error';

const FINAL_SENT = 'the final response was sent';

const TABLE: Table<InviteServerState, InviteServerInput> = {
  Proceeding: {
    request: to('Proceeding', repeat),
    ACK: ignore('Proceeding', 'there is nothing yet to acknowledge'),
    '1xx': to('Proceeding', send),
    '2xx': to('Accepted', send, start('L')),
    '300-699': to('Completed', send, start('H'), start('G')),
    'timer G': ignore('Proceeding', OTHER_TIMER),
    'timer H': ignore('Proceeding', OTHER_TIMER),
    'timer I': ignore('Proceeding', OTHER_TIMER),
    'timer L': ignore('Proceeding', OTHER_TIMER),
    'transport error': to('Proceeding', failTransport),
  },
  Completed: {
    request: to('Completed', repeat),
    ACK: to('Confirmed', stop('G'), stop('H'), start('I')),
    '1xx': ignore('Completed', FINAL_SENT),
    '2xx': ignore('Completed', FINAL_SENT),
    '300-699': ignore('Completed', FINAL_SENT),
    'timer G': to('Completed', repeat, start('G', 'capped')),
    'timer H': to('Terminated', failTimeout),
    'timer I': ignore('Completed', OTHER_TIMER),
    'timer L': ignore('Completed', OTHER_TIMER),
    'transport error': to('Completed', failTransport),
  },
  Confirmed: {
    request: ignore('Confirmed', 'a late retransmission; the response was acknowledged'),
    ACK: ignore('Confirmed', 'a retransmission of the ACK'),
    '1xx': ignore('Confirmed', FINAL_SENT),
    '2xx': ignore('Confirmed', FINAL_SENT),
    '300-699': ignore('Confirmed', FINAL_SENT),
    'timer G': ignore('Confirmed', STALE),
    'timer H': ignore('Confirmed', STALE),
    'timer I': to('Terminated'),
    'timer L': ignore('Confirmed', OTHER_TIMER),
    'transport error': ignore('Confirmed', 'nothing more is sent'),
  },
  Accepted: {
    request: ignore('Accepted', 'a retransmission; the transaction user repeats the 2xx (RFC 6026 7.1)'),
    ACK: to('Accepted', deliver),
    '1xx': ignore('Accepted', FINAL_SENT),
    '2xx': to('Accepted', send),
    '300-699': ignore('Accepted', FINAL_SENT),
    'timer G': ignore('Accepted', OTHER_TIMER),
    'timer H': ignore('Accepted', OTHER_TIMER),
    'timer I': ignore('Accepted', OTHER_TIMER),
    'timer L': to('Terminated'),
    'transport error': to('Accepted', failTransport),
  },
  Terminated: {
    request: ignore('Terminated', ENDED),
    ACK: ignore('Terminated', ENDED),
    '1xx': ignore('Terminated', ENDED),
    '2xx': ignore('Terminated', ENDED),
    '300-699': ignore('Terminated', ENDED),
    'timer G': ignore('Terminated', ENDED),
    'timer H': ignore('Terminated', ENDED),
    'timer I': ignore('Terminated', ENDED),
    'timer L': ignore('Terminated', ENDED),
    'transport error': ignore('Terminated', ENDED),
  },
};

export const inviteServer = {
  table: TABLE,
  initial: to<InviteServerState>('Proceeding', deliver),
  step: (state: InviteServerState, input: InviteServerInput): Step<InviteServerState> => TABLE[state][input],
};
