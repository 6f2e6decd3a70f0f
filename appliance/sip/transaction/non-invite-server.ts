import {
  deliver,
  ENDED,
  failTransport,
  ignore,
  OTHER_TIMER,
  repeat,
  type Step,
  send,
  start,
  type Table,
  to,
} from './machine.ts';

/*
 * RFC 3261 17.2.2, figure 8.
 *
 *                     request: deliver
 *                            |
 *                            V
 *      request:          +--------+ 200-699: send, start J
 *      ignored    +----->| Trying |------------------------------+
 *                        +--------+                              |
 *                            | 1xx: send                         |
 *                            V                                   V
 *      request: repeat +------------+ 200-699: send, start J +-----------+  request: repeat
 *      1xx: send       | Proceeding |----------------------->| Completed |  200-699: ignored
 *                      +------------+                        +-----------+
 *                            | transport error: fail             | timer J
 *                            V                                   V transport error: fail
 *                      +------------------------------------------------+
 *                      |                  Terminated                    |
 *                      +------------------------------------------------+
 */
export type NonInviteServerState = 'Trying' | 'Proceeding' | 'Completed' | 'Terminated';
export type NonInviteServerInput = 'request' | '1xx' | '200-699' | 'timer J' | 'transport error';

const TABLE: Table<NonInviteServerState, NonInviteServerInput> = {
  Trying: {
    request: ignore('Trying', 'a retransmission, and no response yet to repeat'),
    '1xx': to('Proceeding', send),
    '200-699': to('Completed', send, start('J')),
    'timer J': ignore('Trying', OTHER_TIMER),
    'transport error': ignore('Trying', 'nothing was sent yet'),
  },
  Proceeding: {
    request: to('Proceeding', repeat),
    '1xx': to('Proceeding', send),
    '200-699': to('Completed', send, start('J')),
    'timer J': ignore('Proceeding', OTHER_TIMER),
    'transport error': to('Terminated', failTransport),
  },
  Completed: {
    request: to('Completed', repeat),
    '1xx': ignore('Completed', 'the final response was sent'),
    '200-699': ignore('Completed', 'a second final response is discarded (17.2.2)'),
    'timer J': to('Terminated'),
    'transport error': to('Terminated', failTransport),
  },
  Terminated: {
    request: ignore('Terminated', ENDED),
    '1xx': ignore('Terminated', ENDED),
    '200-699': ignore('Terminated', ENDED),
    'timer J': ignore('Terminated', ENDED),
    'transport error': ignore('Terminated', ENDED),
  },
};

export const nonInviteServer = {
  table: TABLE,
  initial: to<NonInviteServerState>('Trying', deliver),
  step: (state: NonInviteServerState, input: NonInviteServerInput): Step<NonInviteServerState> =>
    TABLE[state][input],
};
