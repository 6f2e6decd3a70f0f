import { z } from 'zod';
import { logEntrySchema } from '../record/index.ts';

const time = z.number().nonnegative();

/** The parties of a session beside the host itself. */
export const TRACE_PARTIES = ['host', 'device', 'application', 'receiver', 'destination'] as const;
export type TraceParty = (typeof TRACE_PARTIES)[number];

const traceStepSchema = z
  .strictObject({
    at: time.meta({ description: 'Epoch ms with fraction, by the clock of the host' }),
    hostId: z.string().meta({ description: 'Host that noted the step' }),
    party: z.enum(TRACE_PARTIES).meta({ description: 'Other side of the step; host: an act of its own' }),
    direction: z.enum(['in', 'out', 'own']).meta({ description: 'in: towards the host; out: from the host' }),
    kind: z.string().meta({ description: 'Kind of step' }),
    detail: z
      .record(z.string(), z.unknown())
      .meta({ description: 'Content that was sent, heard or decided' }),
  })
  .meta({ id: 'TraceStep', description: 'One step of a session' });
export type TraceStep = z.output<typeof traceStepSchema>;

export const traceHostSchema = z
  .strictObject({
    hostId: z.string().meta({ description: 'Host' }),
    state: z
      .enum(['sent', 'empty', 'away', 'failed'])
      .meta({ description: 'empty: the host has no step of it (any more); away: it is not connected' }),
    since: time.optional().meta({ description: 'away: since when, epoch ms' }),
    reason: z.string().optional().meta({ description: 'failed: cause' }),
  })
  .meta({ id: 'TraceHost', description: 'Part of a host in a trace' });
export type TraceHost = z.output<typeof traceHostSchema>;

const count = z.number().nonnegative();
const level = z.number().nullable();

const mediaPointSchema = z
  .strictObject({
    at: time.meta({ description: 'Begin of the window, epoch ms by the clock of the host' }),
    forMs: count.meta({ description: 'Length of the window, 5 s in the first hour' }),
    received: count.meta({ description: 'Packets received' }),
    sent: count.meta({ description: 'Packets sent' }),
    lost: count.meta({ description: 'Packets lost' }),
    late: count.meta({ description: 'Packets that came after their turn to be played' }),
    concealedMs: count.meta({ description: 'Audio that was made up for lost packets, ms' }),
    jitterMs: count.meta({ description: 'Jitter at the end of the window, ms (RFC 3550 A.8)' }),
    latenessMs: count.meta({ description: 'Most by which the host was late with the audio, ms' }),
    levelDbm0: level.meta({ description: 'Level received, dBm0; null: the audio was not decoded' }),
    sentLevelDbm0: level.meta({ description: 'Level sent, dBm0; null: as above' }),
  })
  .meta({ id: 'MediaPoint', description: 'Audio of a leg in one window' });
export type MediaPoint = z.output<typeof mediaPointSchema>;

const mediaCurveSchema = z
  .strictObject({
    hostId: z.string().meta({ description: 'Host that measured' }),
    leg: z.string().meta({ description: 'Leg, as in the record' }),
    points: z.array(mediaPointSchema).meta({ description: 'Windows in order of time' }),
  })
  .meta({ id: 'MediaCurve', description: 'Audio of one leg over time' });
export type MediaCurve = z.output<typeof mediaCurveSchema>;

/** GET /record/{domain}/{recordId}/trace. */
export const sessionTraceSchema = z
  .strictObject({
    traceId: z.string().meta({ description: 'Trace' }),
    recordId: z.string().meta({ description: 'Record' }),
    fetchedAt: time.meta({ description: 'Time of the fetch from the hosts, epoch ms' }),
    complete: z.boolean().meta({ description: 'Every host of the site sent its part' }),
    hosts: z.array(traceHostSchema).meta({ description: 'Hosts of the site' }),
    steps: z.array(traceStepSchema).meta({
      description:
        'Steps in order of time, 60,000 at most: of a longer trace the middle is missing, and a step `leftOut` there has the number of missing steps',
    }),
    media: z
      .array(mediaCurveSchema)
      .meta({ description: 'Loss, jitter, lateness and level of each leg, in windows of 5 s' }),
    events: z
      .array(logEntrySchema)
      .meta({ description: 'Events of the same trace that the control plane has, also without the host' }),
  })
  .meta({
    id: 'SessionTrace',
    description: 'Trace of a session, joined over the hosts of its site',
    example: {
      ...{ traceId: '0b3f3a0e-6b1a-4a55-9d0c-2f5b6f1f7c11', recordId: '01jd0000000000000000000000' },
      ...{ fetchedAt: 1_795_680_100_000, complete: true, hosts: [{ hostId: 'gw-1', state: 'sent' }] },
      steps: [
        {
          ...{
            at: 1_795_680_000_000.4,
            hostId: 'gw-1',
            party: 'device',
            direction: 'in',
            kind: 'sipReceived',
          },
          detail: { method: 'MESSAGE', uri: 'sip:scaip@pbx.example' },
        },
      ],
      media: [],
      events: [],
    },
  });
export type SessionTrace = z.output<typeof sessionTraceSchema>;
