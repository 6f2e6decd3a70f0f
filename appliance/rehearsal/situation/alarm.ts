import { RULES, type Situation } from './situation.ts';

/** The content of an alarm, which an application must take as it comes. */
export const ALARM_SITUATIONS: readonly Situation[] = [
  {
    name: 'first-alarm',
    sent: 'One alarm of a personal trigger, signed, after the application has started.',
    expected: 'It answers 2xx with an action within callbackTimeout.',
    advice:
      'Answer {"action":"callEmergencyCenter"} or {"action":"drop"}. Without an action the platform connects the device with the emergency destination.',
    rule: RULES.alarm,
    steps: [{ expects: 'decision' }],
  },
  {
    name: 'unknown-unit',
    sent: 'An alarm of a unit that the application has never heard of.',
    expected: 'It answers with an action, as for any other unit.',
    advice:
      'A unit that was mounted this morning may not be in your data yet. Show the alarm to a person with the number that it brings.',
    rule: RULES.alarm,
    steps: [{ alarm: { isUnknown: true }, expects: 'decision' }],
  },
  {
    name: 'unknown-code',
    sent: 'An alarm whose native code has no word: deviceType is unknown, and sourceAlarmEvent has the code.',
    expected: 'It answers with an action.',
    advice: 'Take an unknown word as an alarm of its own kind. Device types are added with each new device.',
    rule: RULES.event,
    steps: [{ alarm: { device: '7777' }, expects: 'decision' }],
  },
  {
    name: 'newer-platform',
    sent: 'An alarm with fields that a newer platform adds, flat and nested.',
    expected: 'It answers with an action and ignores the fields.',
    advice: 'Read the fields that you need. A schema that forbids others loses alarms at the next upgrade.',
    rule: RULES.version,
    steps: [
      {
        alarm: { newer: { floorPlan: { level: 2, zones: ['north'] }, confidence: 0.75, reviewed: false } },
        expects: 'decision',
      },
    ],
  },
  {
    name: 'many-scripts',
    sent: 'An alarm with a text in Swedish, Greek, Arabic and emoji.',
    expected: 'It answers with an action.',
    advice: 'Read the body as UTF-8, and give your database columns that hold every character.',
    rule: RULES.event,
    steps: [{ alarm: { text: 'Åsa Öberg – Ωμέγα – مرحبا – 🆘' }, expects: 'decision' }],
  },
  {
    name: 'charset',
    sent: 'An alarm with Content-Type application/json; charset=utf-8, as some proxies write it.',
    expected: 'It answers with an action.',
    advice: 'Compare the media type without its parameters.',
    rule: RULES.alarm,
    steps: [{ contentType: 'application/json; charset=utf-8', expects: 'decision' }],
  },
  {
    name: 'huge-body',
    sent: 'An alarm whose body has more than 100 KiB, since the device sent a long message.',
    expected: 'It answers with an action.',
    advice:
      'Let bodies of 256 KiB in. Many frameworks refuse more than 100 KiB unless they are set otherwise.',
    rule: RULES.delivery,
    steps: [{ alarm: { elements: 200 }, expects: 'decision' }],
  },
  {
    name: 'withdrawn-alarm',
    sent: 'An alarm, and then in the same session the event by which the device withdraws it (statusCode cleared).',
    expected: 'It answers both with an action.',
    advice:
      'Show the withdrawal at its alarm. It is an event of the session, not another alarm and not an error.',
    rule: RULES.event,
    steps: [{ expects: 'decision' }, { alarm: { status: '0019' }, seq: 2, expects: 'decision' }],
  },
  {
    name: 'alarm-storm',
    sent: 'Sixty alarms of sixty units at the same time, as after a power cut.',
    expected: 'It answers each with an action within callbackTimeout.',
    advice: 'Answer before you look anything up slowly, and let the database take many requests at once.',
    rule: RULES.delivery,
    steps: [{ times: 60, together: true, expects: 'decision' }],
  },
];
