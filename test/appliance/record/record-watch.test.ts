import { expect, it } from 'vitest';
import { SessionTrace, type TraceObserver } from '#appliance/kernel/session-trace.ts';
import type { SessionRecord } from '#shared/contract/session-record/index.ts';
import { recordWatch } from './record-watch.ts';

const NO_OBSERVER: TraceObserver = {
  opened: () => undefined,
  added: () => undefined,
  joined: () => undefined,
  attempted: () => undefined,
};
const RECORD: SessionRecord = {
  ...{ v: 1, recordId: '', kind: 'call', at: 1, result: 'done', reason: 'The call ended' },
  ...{ from: 'anna', to: 'bo', times: { ended: 2 }, durationMs: 1 },
};

/** The faults of one call that ended, after these records of it. */
function faultsOf(...records: readonly Partial<SessionRecord>[]): readonly string[] {
  const watch = recordWatch(NO_OBSERVER);
  const trace = new SessionTrace('trace-1', () => 1, watch.observer);
  const recordId = trace.open({ kind: 'call', from: 'anna' });
  trace.add('sessionEnded', { outcome: 'ended' });
  for (const record of records) watch.put({ ...RECORD, recordId, ...record });
  return watch.faults().map((fault) => fault.replace(recordId, 'ID'));
}

it.each<[string, Partial<SessionRecord>[]]>([
  ['the record ID (call) has no end, though its session ended', [{ result: 'running' }]],
  ['the record ID (call) has 2 ends', [{}, {}]],
  ['the record ID (call) is of kind alarm', [{ kind: 'alarm' }]],
  ['the record ID (call) says done without a reason', [{ reason: '' }]],
  ['the record ID (call) has no time of its end', [{ times: {} }]],
  ['the record ID (call) names no party', [{ from: '', to: '' }]],
])('%s turns a journey red', (fault, records) => {
  expect(faultsOf(...records)).toEqual([fault]);
});

it('a whole record is no fault, nor a session that the test left open, nor one that joined another', () => {
  expect(faultsOf({ result: 'running' }, {})).toEqual([]);
  const watch = recordWatch(NO_OBSERVER);
  const [open, part] = ['a', 'b'].map((id) => new SessionTrace(id, () => 1, watch.observer));
  open?.open({ kind: 'call' });
  part?.open({ kind: 'call' });
  if (open !== undefined) part?.joins(open);
  part?.add('sessionEnded');
  expect(watch.faults()).toHaveLength(1);
  expect(watch.faults()[0]).toContain('has no end');
});
