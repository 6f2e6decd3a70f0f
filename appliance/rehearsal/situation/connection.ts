import { RULES, type Situation } from './situation.ts';

/** Forms of a request and of its connection that networks and proxies bring about. */
export const CONNECTION_SITUATIONS: readonly Situation[] = [
  {
    name: 'slow-answer',
    sent: 'Ten alarms, one after the other, on a quiet day.',
    expected: 'It answers each with an action within half of callbackTimeout.',
    advice:
      'A person waits. Answer first, and do slow work afterwards; on a busy day the time would be over, and the fallback acts.',
    rule: RULES.delivery,
    steps: [{ times: 10, expects: 'promptDecision' }],
  },
  {
    name: 'slow-request',
    sent: 'An alarm whose body comes in pieces over one second, as by a mobile link.',
    expected: 'It answers with an action.',
    advice: 'Read the body to its end; do not take the first piece for all of it.',
    rule: RULES.delivery,
    steps: [{ carried: 'slowly', expects: 'decision' }],
  },
  {
    name: 'chunked',
    sent: 'An alarm with Transfer-Encoding chunked and without a Content-Length, as a proxy passes it on.',
    expected: 'It answers with an action, and its answer is complete.',
    advice: 'Do not demand a Content-Length, and end a chunked answer of your own with the last chunk.',
    rule: RULES.delivery,
    steps: [{ carried: 'inChunks', expects: 'decision' }],
  },
  {
    name: 'http-1.0',
    sent: 'An alarm in HTTP/1.0, as an old proxy passes it on.',
    expected: 'It answers with an action, without chunks, and closes the connection.',
    advice: 'Write Content-Length, or let the close of the connection end the answer.',
    rule: RULES.delivery,
    steps: [{ carried: 'http10', expects: 'decision' }],
  },
  {
    name: 'half-answer',
    sent: 'An alarm over a connection for it alone (Connection: close).',
    expected: 'It answers whole before it closes the connection.',
    advice: 'End the answer before you close. An answer that is shorter than its Content-Length is none.',
    rule: RULES.delivery,
    steps: [{ carried: 'closing', expects: 'decision' }],
  },
  {
    name: 'redirect',
    sent: 'An alarm for a callbackBaseUrl that has a query.',
    expected: 'It answers there, and does not redirect.',
    advice:
      'Answer at the address that you gave. The platform follows no redirect, because its target was never checked.',
    rule: RULES.delivery,
    steps: [{ query: 'receiver=rehearsal', expects: 'decision' }],
  },
  {
    name: 'tls-renegotiation',
    sent: 'A connection of TLS 1.2 that asks for new keys and breaks off, and then an alarm.',
    expected: 'It answers the alarm with an action.',
    advice: 'Refuse renegotiation if you like, and keep taking connections. TLS 1.3 has none.',
    rule: RULES.delivery,
    steps: [{ carried: 'redialled', expects: 'decision' }],
    only: 'tls',
  },
];
