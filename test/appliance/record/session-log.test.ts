import { expect, it } from 'vitest';
import { sessionLog } from '#appliance/record/index.ts';
import type { LogDetail } from '#shared/log.ts';
import { recorderRoom } from './recorder-room.ts';

/** A room with one alarm, and the details of the lines that were written. */
function room() {
  const stage = recorderRoom();
  const lines: LogDetail[] = [];
  const log = sessionLog((_level, _event, _text, detail = {}) => lines.push(detail), stage.recorder.names);
  const say = (detail?: LogDetail): LogDetail | undefined => {
    log('warn', 'alarm.looked_at', 'Looked at an alarm', detail);
    return lines.pop();
  };
  const alarm = stage.session({ kind: 'alarm', sessionId: 's-1' });
  return { ...stage, alarm, say };
}

it('a line that names a running session carries the ids of its trace and its record', () => {
  const { alarm, say } = room();
  const { traceId, recordId } = alarm;
  expect(recordId).toEqual(expect.any(String));
  expect(say({ sessionId: 's-1', count: 3 })).toEqual({ sessionId: 's-1', count: 3, traceId, recordId });
  expect(say({ traceId })).toEqual({ traceId, recordId });
});

it('a line without a session, and one of a session that is over, stays as it is', () => {
  const { alarm, say, after } = room();
  expect(say({ sessionId: 's-2' })).toEqual({ sessionId: 's-2' });
  expect(say()).toEqual({});
  alarm.add('sessionEnded', { outcome: 'cleared' });
  after(1_000);
  expect(say({ sessionId: 's-1' })).toEqual({ sessionId: 's-1' });
});

it('a further alarm of a call is found by its session, and a call by the id that its application gave it', () => {
  const { alarm, say } = room();
  const { recordId: first } = alarm;
  alarm.open({ kind: 'alarm', sessionId: 's-2' });
  expect(say({ sessionId: 's-1' })).toMatchObject({ recordId: first });
  expect(say({ sessionId: 's-2' })).toMatchObject({ recordId: alarm.recordId });
  expect(alarm.recordId).not.toBe(first);
  alarm.continueAs('given');
  alarm.add('note', { text: 'goes on' });
  expect(say({ sessionId: 's-2' })).toMatchObject({ traceId: 'given', recordId: alarm.recordId });
});
