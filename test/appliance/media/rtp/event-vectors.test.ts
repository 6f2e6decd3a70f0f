import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { EVENT_DIGITS } from '#appliance/media/dtmf/index.ts';
import {
  EventReceiver,
  EventSender,
  type ReceivedEvent,
  readTelephoneEvent,
  writeTelephoneEvent,
} from '#appliance/media/rtp/index.ts';

interface Vector {
  readonly id: string;
  readonly digit: string;
  readonly durationMs: number;
  readonly payloads: readonly string[];
}
const file = join(import.meta.dirname, '../../../vectors/alarm/sending.json');
const { rfc4733 } = JSON.parse(readFileSync(file, 'utf8')) as { rfc4733: Vector[] };

it('vectors of RFC 4733 are all there', () => expect(rfc4733).toHaveLength(4));

it.each(rfc4733)(
  '$id $digit of $durationMs ms is sent as these payloads',
  ({ digit, durationMs, payloads }) => {
    const sent: string[] = [];
    const sender = new EventSender((event) => {
      const payload = Buffer.alloc(4);
      writeTelephoneEvent(event, payload, 0);
      sent.push(payload.toString('hex').toUpperCase());
    });
    sender.queue(EVENT_DIGITS.indexOf(digit), durationMs, 80);
    for (let tick = 0; tick < 40; tick++) sender.tick(1_000 + tick * 160);
    expect(sent).toEqual(payloads);
  },
);

it.each(rfc4733)('$id these payloads are $digit of $durationMs ms', ({ digit, durationMs, payloads }) => {
  const detected: ReceivedEvent[] = [];
  const receiver = new EventReceiver((event) => detected.push(event));
  for (const [tick, payload] of payloads.entries()) {
    const event = readTelephoneEvent(Buffer.from(payload, 'hex'), 0, 4);
    if (event === null) throw new Error('no event');
    receiver.push(7, 1_000, event, tick * 20);
  }
  const ends = detected.filter(({ kind }) => kind === 'end');
  expect(ends).toHaveLength(1);
  expect(ends[0]).toMatchObject({ code: EVENT_DIGITS.indexOf(digit), durationMs });
});
