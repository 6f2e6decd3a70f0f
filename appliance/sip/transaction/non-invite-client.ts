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
 * RFC 3261 17.1.2, figure 6. Timer E runs on unreliable transports only.
 *
 *                     request: send, start E, start F
 *                            |
 *                            V
 *      timer E:          +--------+ 200-699: deliver, start K
 *      repeat, E x 2     | Trying |---------------------------------+
 *      (T2 at most)      +--------+                                 |
 *                            | 1xx: deliver                         |
 *                            V                                      V
 *      timer E:        +------------+ 200-699: deliver, start K +-----------+
 *      repeat, E = T2  | Proceeding |-------------------------->| Completed | responses: ignored
 *      1xx: deliver    +------------+                           +-----------+
 *                            | timer F, transport error: fail       | timer K
 *                            V  (from Trying too)                   V
 *                      +---------------------------------------------------+
 *                      |                    Terminated                     |
 *                      +---------------------------------------------------+
 */
export type NonInviteClientState = 'Trying' | 'Proceeding' | 'Completed' | 'Terminated';
export type NonInviteClientInput = '1xx' | '200-699' | 'timer E' | 'timer F' | 'timer K' | 'transport error';

const TABLE: Table<NonInviteClientState, NonInviteClientInput> = {
  Trying: {
    '1xx': to('Proceeding', deliver),
    '200-699': to('Completed', stop('E'), stop('F'), start('K'), deliver),
    'timer E': to('Trying', repeat, start('E', 'capped')),
    'timer F': to('Terminated', failTimeout),
    'timer K': ignore('Trying', OTHER_TIMER),
    'transport error': to('Terminated', failTransport),
  },
  Proceeding: {
    '1xx': to('Proceeding', deliver),
    '200-699': to('Completed', stop('E'), stop('F'), start('K'), deliver),
    'timer E': to('Proceeding', repeat, start('E', 'T2')),
    'timer F': to('Terminated', failTimeout),
    'timer K': ignore('Proceeding', OTHER_TIMER),
    'transport error': to('Terminated', failTransport),
  },
  Completed: {
    '1xx': ignore('Completed', 'late, the final response was delivered'),
    '200-699': ignore('Completed', 'a retransmission of the final response'),
    'timer E': ignore('Completed', STALE),
    'timer F': ignore('Completed', STALE),
    'timer K': to('Terminated'),
    'transport error': ignore('Completed', 'nothing more is sent'),
  },
  Terminated: {
    '1xx': ignore('Terminated', ENDED),
    '200-699': ignore('Terminated', ENDED),
    'timer E': ignore('Terminated', ENDED),
    'timer F': ignore('Terminated', ENDED),
    'timer K': ignore('Terminated', ENDED),
    'transport error': ignore('Terminated', ENDED),
  },
};

export const nonInviteClient = {
  table: TABLE,
  initial: to<NonInviteClientState>('Trying', start('F'), start('E'), send),
  step: (state: NonInviteClientState, input: NonInviteClientInput): Step<NonInviteClientState> =>
    TABLE[state][input],
};
