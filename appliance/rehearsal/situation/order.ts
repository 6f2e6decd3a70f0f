import { RULES, type Situation } from './situation.ts';

/** Repeats, outages and orders that a network makes of a row of events. */
export const ORDER_SITUATIONS: readonly Situation[] = [
  {
    name: 'twice',
    sent: 'The same alarm again, signed again, with the same Idempotency-Key.',
    expected: 'It gives the first answer again.',
    advice: 'Keep the answer by Idempotency-Key. A person must see one alarm, not two.',
    rule: RULES.callback,
    steps: [{ expects: 'decision' }, { repeats: true, expects: 'sameAnswer' }],
  },
  {
    name: 'twice-at-once',
    sent: 'The same alarm over two connections at the same moment.',
    expected: 'Both get the same answer.',
    advice:
      'Remember the key before the work begins; let the second request wait for the answer of the first.',
    rule: RULES.callback,
    steps: [{ times: 2, together: true, repeats: true, expects: 'sameAnswer' }],
  },
  {
    name: 'connection-reset',
    sent: 'An alarm whose connection is reset before the answer; it comes once more at once.',
    expected: 'It answers the second request with an action.',
    advice:
      'A broken connection says nothing of the event. Finish the work, and keep its answer for the repeat.',
    rule: RULES.delivery,
    steps: [{ network: ['reset'], expects: 'decision' }],
  },
  {
    name: 'out-of-order',
    sent: 'The second event of a session (X-Event-Seq 2) before the first one.',
    expected: 'It answers both with an action.',
    advice: 'Make the session with whichever event comes first, and order its events by X-Event-Seq.',
    rule: RULES.delivery,
    steps: [
      { seq: 2, expects: 'decision' },
      { seq: 1, expects: 'decision' },
    ],
  },
  {
    name: 'late-event',
    sent: 'An alarm whose time was over before it reached the application: it comes as a record with late: true.',
    expected: 'It answers 2xx.',
    advice:
      'Note the event and accept it. The fallback has acted, and the answer decides nothing more; a refusal makes a dead letter.',
    rule: RULES.delivery,
    steps: [{ network: ['silent'], expects: 'taken' }],
  },
  {
    name: 'outage',
    sent: 'Twelve records of twelve sessions that had waited for the end of an outage, as soon as it ends.',
    expected: 'It answers each with 2xx.',
    advice: 'Take the records as they come. They are hours old, and their times stand in the bodies.',
    rule: RULES.delivery,
    steps: [{ record: 'alarmSent', times: 12, together: true, outage: 12, expects: 'taken' }],
  },
  {
    name: 'error-then-well',
    sent: 'A record that the application took while a gateway answered 500 in its place; it comes again.',
    expected: 'It answers the second attempt with 2xx.',
    advice:
      'X-Delivery-Attempt counts the attempts. A record that is known already is a success, not a conflict.',
    rule: RULES.delivery,
    steps: [{ record: 'alarmSent', network: ['error'], expects: 'sameAnswer' }],
  },
  {
    name: 'host-swapped',
    sent: 'The second event of a session from another host: ivrServer and siteBaseUrl differ.',
    expected: 'It answers with an action.',
    advice:
      'Know a session by its sessionId alone. The other host of a site goes on with it when the first one is lost.',
    rule: RULES.alarm,
    steps: [{ expects: 'decision' }, { alarm: { host: 'second' }, seq: 2, expects: 'decision' }],
  },
  {
    name: 'old-reply-id',
    sent: 'A record about a session that ended long ago, with its old replyId.',
    expected: 'It answers 2xx.',
    advice:
      'Accept records of sessions that you have forgotten. A 404 makes a dead letter after three attempts.',
    rule: RULES.delivery,
    steps: [{ record: 'oldAlarmSent', expects: 'taken' }],
  },
];

/** Callbacks that decide nothing. */
export const RECORD_SITUATIONS: readonly Situation[] = [
  {
    name: 'platform-alarm',
    sent: 'A platform alarm: a device of the tenant is offline.',
    expected: 'It answers 2xx.',
    advice:
      'Take POST /platformAlarm, and name it in alarmEventsRestEndpoint. The platform reports there what a person must mend.',
    rule: RULES.platformAlarm,
    steps: [{ record: 'platformAlarm', expects: 'taken' }],
  },
  {
    name: 'unknown-event',
    sent: 'A record of a newer platform, on a path that the application does not know.',
    expected: 'It answers 2xx.',
    advice:
      'Accept unknown paths. A 5xx counts as an outage of the whole application, and holds its other records back.',
    rule: RULES.version,
    steps: [{ record: 'unheardOf', expects: 'taken' }],
  },
];
