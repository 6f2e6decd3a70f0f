import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SCAIP_PROFILE } from '#appliance/alarm/protocol/scaip/index.ts';
import { readXml } from '#appliance/alarm/protocol/xml-message/index.ts';
import type { ReceivedAlarmEvent } from '#shared/alarm-event/index.ts';
import { AlarmRoom } from './alarm-room.ts';

interface Vector {
  readonly id: string;
  readonly name: string;
  readonly given?: {
    readonly action?: string;
    readonly usePredefinedDestination?: boolean;
    readonly emergencyDestination?: string | null;
    readonly analogueVoiceNumber?: string;
    readonly callbackMinutes?: number;
    readonly callbackAnswerAfterMs?: number;
    readonly heartbeatIntervalMs?: number;
    readonly callback?: string;
  };
  readonly request?: string;
  readonly requests?: readonly string[];
  readonly alarmEvent: ReceivedAlarmEvent | null;
  readonly response?: Readonly<Record<string, string>>;
  readonly responses?: readonly Readonly<Record<string, string>>[];
  readonly events?: number;
  readonly alarms?: readonly string[];
}

const path = join(import.meta.dirname, '../../vectors/alarm/scaip.json');
const vectors = (JSON.parse(readFileSync(path, 'utf8')) as { scaip: readonly Vector[] }).scaip;

/** The device sends again five seconds after a hold; short of that the room stands still. */
const RESEND_MS = 10_000;

describe('SCAIP vectors, from the request to the answer', () => {
  it('are all here', () => {
    expect(vectors.map(({ id }) => id)).toEqual(
      Array.from({ length: 16 }, (_, i) => `scaip-${String(i + 1).padStart(2, '0')}`),
    );
  });

  it.each(vectors)('$id $name', (vector) => {
    const room = roomFor(vector);
    const requests = vector.requests ?? [vector.request ?? ''];
    for (const request of requests) {
      room.send(request);
      room.run(RESEND_MS);
    }

    const responses = vector.responses ?? [vector.response ?? {}];
    expect(room.answers).toHaveLength(responses.length);
    for (const [i, wanted] of responses.entries()) expectAnswer(room.answers[i]?.xml ?? '', wanted);

    const events = vector.alarmEvent === null ? 0 : (vector.events ?? 1);
    expect(room.delivered).toHaveLength(events);
    if (vector.alarmEvent !== null) expect(room.delivered[0]?.event).toEqual(vector.alarmEvent);
    const refused = responses.some(({ snu }) => snu === '3' || snu === '7');
    expect(room.alarms).toEqual(vector.alarms ?? (refused ? ['scaipRejected'] : []));
  });
});

function roomFor({ given = {} }: Vector): AlarmRoom {
  const { action, callback, callbackAnswerAfterMs, heartbeatIntervalMs, callbackMinutes } = given;
  return new AlarmRoom({
    setting: {
      usePredefinedDestination: given.usePredefinedDestination ?? false,
      ...(given.emergencyDestination && { emergencyDestination: given.emergencyDestination }),
      ...(given.analogueVoiceNumber !== undefined && { analogueVoiceNumber: given.analogueVoiceNumber }),
    },
    callback: callback === 'failed' ? 'failed' : { action },
    ...(callbackAnswerAfterMs !== undefined && { callbackAfterMs: callbackAnswerAfterMs }),
    ...(heartbeatIntervalMs !== undefined && { heartbeatIntervalMs }),
    ...(callbackMinutes !== undefined && {
      profile: { ...SCAIP_PROFILE, voice: { ...SCAIP_PROFILE.voice, callbackMinutes } },
    }),
  });
}

/** Elements and texts that must be there; numbers compare as integers. */
function expectAnswer(xml: string, wanted: Readonly<Record<string, string>>): void {
  const read = readXml(xml);
  if (!read.ok) throw new Error(read.error.reason);
  expect(read.value.name).toBe('mrs');
  for (const [tag, text] of Object.entries(wanted)) {
    const said = read.value.children.find(({ name }) => name === tag)?.text;
    if (text === '*') expect(said).toBeDefined();
    else if (/^\d+$/.test(text)) expect(Number(said)).toBe(Number(text));
    else expect(said).toBe(text);
  }
}
