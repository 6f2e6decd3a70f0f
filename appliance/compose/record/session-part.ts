import { HOST_ACT } from '#shared/contract/feed/index.ts';
import type {
  SessionCapture,
  SessionRecord,
  SessionTrace,
  TraceStep,
} from '#shared/contract/session-record/index.ts';
import { type Failure, fail, ok, type Result } from '#shared/result.ts';
import { mediaCurves, stepsOf } from '#shared/session-trace/index.ts';
import type { JournalPorts } from '../../delivery/outbox/index.ts';
import { cloudRow } from '../../delivery/site-report.ts';
import type { CaptureStore } from '../../io/capture/index.ts';
import type { RecordPart, ShownPart } from '../../io/site-listener/index.ts';
import { inSlices } from '../../io/slice/index.ts';

/** Sources of the parts of a session on this host. */
export interface PartSources {
  /** Pages of a trace, JSON as they stand. */
  readonly trace: (traceId: string) => Promise<readonly string[]>;
  /** Undefined: this host captures nothing. */
  readonly capture: Pick<CaptureStore, 'captureFor'> | undefined;
  readonly hostId: () => string;
  readonly ports: Parameters<typeof cloudRow>[0] & JournalPorts;
}

/**
 * A part of a session as this host has it, in the form in which the control plane gives it; `complete` speaks of this host
 * alone. The look is in the audit log before anything is read.
 */
export async function sessionPart(
  sources: PartSources,
  { recordId, traceId }: SessionRecord,
  part: RecordPart,
  by: string,
): Promise<Result<ShownPart, Failure<'notFound'>>> {
  if (traceId === undefined)
    return fail('notFound', `The record ${recordId} has no trace: its session noted none.`);
  await noteLook(sources.ports, { part, recordId, traceId, by });
  const fetchedAt = sources.ports.clock.wallMs();
  if (part === 'trace') return ok({ trace: await traceOf(sources, { recordId, traceId, fetchedAt }) });
  if (sources.capture === undefined)
    return fail('notFound', 'This host captures no messages: CARILLON_CAPTURE is 0. Set it to a size.');
  const { document, pcapng } = await sources.capture.captureFor({ traceId });
  return ok(
    part === 'capture.pcap'
      ? { pcapng: await pcapng() }
      : { capture: captureOf({ recordId, traceId, fetchedAt }, document) },
  );
}

interface Place {
  readonly recordId: string;
  readonly traceId: string;
  readonly fetchedAt: number;
}

async function traceOf({ trace, hostId }: PartSources, place: Place): Promise<SessionTrace> {
  const steps: TraceStep[] = [];
  await inSlices(await trace(place.traceId), (page) => {
    for (const step of stepsOf(`{"v":1,"pages":[${page}]}`, hostId()) ?? []) steps.push(step);
  });
  const state = steps.length === 0 ? 'empty' : 'sent';
  return {
    ...{ ...place, complete: true, hosts: [{ hostId: hostId(), state }], steps },
    ...{ media: mediaCurves(steps), events: [] },
  };
}

type Document = Awaited<ReturnType<CaptureStore['captureFor']>>['document'];

function captureOf(
  place: Place,
  { hostId, overwritten, oldestAt, cut, messages, media }: Document,
): SessionCapture {
  const state = messages.length === 0 ? 'empty' : 'sent';
  return {
    ...{ ...place, complete: !overwritten && !cut, overwritten, cut },
    hosts: [{ hostId, state, messages: messages.length, overwritten, oldestAt, cut }],
    messages: messages.map((message) => ({ ...message, hostId })),
    media: media.map((step) => ({ ...step, hostId })),
  };
}

/** The event waits on the disk until the control plane has it; rejects when it cannot be stored. */
async function noteLook(
  ports: PartSources['ports'],
  { by, ...detail }: { part: RecordPart; recordId: string; traceId: string; by: string },
): Promise<void> {
  const body = JSON.stringify({ action: 'recordRead', by, detail });
  const row = cloudRow(ports, { lane: 'audit', type: HOST_ACT, body });
  await ports.journal.commit([{ kind: 'outbox', row }]);
}
