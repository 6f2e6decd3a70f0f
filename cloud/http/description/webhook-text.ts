import { DELIVERY_HEADER } from '#shared/contract/callback/index.ts';

const LIVE =
  'Live: a person or a device waits for the answer, which must come within callbackTimeout. All attempts share that time. When they have failed, the configured fallback acts, and the same event comes again as a record with late: true.';
const RECORD =
  'Record: any answer with 2xx takes it. Without one it is tried again after 1, 2, 5, 10, 20, 30 and 60 s, then every 5 minutes at the latest, for up to 7 days and in the order of the events of its session. A 4xx other than 401, 403, 408, 409, 425 and 429 ends it after three attempts. It then lies among the dead letters, from which it can be sent again.';

/** How a callback is delivered: `live` asks an application for a decision, a record only reports. */
export const deliveryText = (isLive: boolean): string => (isLive ? LIVE : RECORD);

const header = (name: string, description: string, example: string, required = true) => ({
  name,
  in: 'header' as const,
  required,
  description,
  schema: { type: 'string' as const },
  example,
});

/** The headers of every callback, beside those that its receiver asks for. */
export const DELIVERY_HEADERS = [
  header(
    DELIVERY_HEADER.idempotencyKey,
    'The same for every attempt of one event: an application that knows it gives its first answer again',
    '01jd7z8q4m3v5k2t9xw6rbhynh',
  ),
  header(DELIVERY_HEADER.traceId, 'Trace of the session', '4bf92f3577b34da6a3ce929d0e0e4736'),
  header(DELIVERY_HEADER.eventSeq, 'Order of the events of one session, from 1', '1', false),
  header(DELIVERY_HEADER.deliveryAttempt, 'Attempt of this event, from 1', '1'),
  header(
    DELIVERY_HEADER.traceparent,
    'W3C Trace Context',
    '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
    false,
  ),
];
