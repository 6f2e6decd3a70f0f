import { describe, expect, it } from 'vitest';
import { RECORD_LIMIT_BYTES } from '#shared/contract/session-record/index.ts';
import { recorderRoom } from './recorder-room.ts';

const CALL = { kind: 'call', sessionId: 's', from: 'anna', to: 'bo' } as const;

describe('the record of a session', () => {
  it('has a start only if the session lives longer than 2 s, and its end has the same id', () => {
    const room = recorderRoom();
    const trace = room.session(CALL);
    room.after(1_999);
    expect(room.records.puts).toEqual([]);
    room.after(1);
    expect(room.records.puts).toMatchObject([{ result: 'running', recordId: trace.recordId }]);
    trace.add('voiceJoined', { leg: '2' });
    room.after(5_000);
    trace.add('sessionEnded', { outcome: 'ended', answered: true, reason: 'Q.850 16 Normal call clearing' });
    room.after(300);
    expect(room.records.puts.slice(1)).toMatchObject([
      { result: 'done', recordId: trace.recordId, durationMs: 7_000, speechMs: 5_000 },
    ]);
    expect(room.recorder.size).toBe(0);
    expect(room.defects).toEqual([]);
  });

  it('is, for a call that says an alarm seconds later, that of an alarm at once, and not at its end', () => {
    const room = recorderRoom();
    const trace = room.session(CALL);
    room.after(6_000);
    trace.open({ kind: 'alarm', sessionId: 's', deviceId: '1234567' });
    room.after(100);
    // The next alarm of the same session is no news of this kind.
    trace.open({ kind: 'alarm', sessionId: 's' });
    room.after(10_000);
    expect(room.records.puts).toMatchObject([
      { kind: 'call', result: 'running' },
      { kind: 'alarm', result: 'running', deviceId: '1234567', recordId: trace.recordId },
    ]);
    expect(room.records.running()).toHaveLength(1);
    trace.add('sessionEnded', { outcome: 'ended', answered: true });
    room.after(300);
    expect(room.records.all()).toMatchObject([{ kind: 'alarm', result: 'done' }]);
  });

  it('is written once for a short session, with the statistics that come after the end', () => {
    const room = recorderRoom();
    const trace = room.session(CALL);
    trace.add('sessionEnded', { outcome: 'ended', answered: true, reason: 'SIP 200 Said' });
    room.after(200);
    trace.add('mediaEnded', {
      leg: 'x.1',
      codec: 'PCMA',
      received: { packets: 9, lost: 1, jitterMs: 2.123 },
    });
    room.after(10_000);
    expect(room.records.puts).toMatchObject([
      { result: 'done', legs: [{ leg: '1', codec: 'PCMA', received: 9, lost: 1, jitterMs: 2.1 }] },
    ]);
  });

  it('is none for a trace that is no session, whatever stands in it', () => {
    const room = recorderRoom();
    const trace = room.trace();
    trace.add('sipReceived', { uri: 'sip:a@b', from: 'sip:c@d', source: '192.0.2.1:5060' });
    trace.add('sessionEnded', { outcome: 'handled' });
    room.after(10_000);
    expect(room.records.puts).toEqual([]);
    expect(room.recorder.size).toBe(0);
  });

  it('takes what stood in the trace before it was a session', () => {
    const room = recorderRoom();
    const trace = room.trace();
    trace.add('sipReceived', {
      uri: 'sip:scaip@care.example',
      from: 'sip:u@care.example',
      source: '192.0.2.1:9',
    });
    trace.add('receiverMatched', {
      alarmBridgeId: 'b',
      name: 'B',
      protocol: 'scaip',
      rule: 'destinationMatch x',
    });
    trace.open({ kind: 'alarm', sessionId: 's' });
    trace.add('sessionEnded', { outcome: 'handled' });
    room.after(300);
    expect(room.records.all()).toMatchObject([
      {
        from: 'u',
        to: 'scaip',
        source: '192.0.2.1',
        receiver: 'b',
        receiverName: 'B',
        rule: 'destinationMatch x',
      },
    ]);
  });

  it('is one for a call that becomes an alarm; a further alarm in the same call has its own', () => {
    const room = recorderRoom();
    const trace = room.session(CALL);
    const { recordId } = trace;
    room.after(3_000);
    expect(trace.open({ kind: 'alarm', sessionId: 'a1' })).toBe(recordId);
    trace.add('sessionEnded', { outcome: 'handled' });
    room.after(1_000);
    const second = trace.open({ kind: 'alarm', sessionId: 'a2' });
    expect(second).not.toBe(recordId);
    trace.add('sessionEnded', { outcome: 'cleared' });
    room.after(1_000);
    expect(room.records.all()).toMatchObject([
      { recordId, kind: 'alarm', sessionId: 'a1', reason: 'The application took the alarm' },
      { recordId: second, kind: 'alarm', sessionId: 'a2', reason: 'A person cleared the alarm' },
    ]);
  });

  it('ends for a call that is part of an alarm, and its entries are those of the alarm', () => {
    const room = recorderRoom();
    const alarm = room.session({ kind: 'alarm', sessionId: 'a' });
    const call = room.session(CALL);
    const callId = call.recordId;
    room.after(2_500);
    call.joins(alarm);
    expect(call.recordId).toBe(alarm.recordId);
    call.add('voiceJoined', { leg: '2' });
    alarm.add('sessionEnded', { outcome: 'callCleared' });
    room.after(300);
    const [first, second] = room.records.all().toSorted((a, b) => a.kind.localeCompare(b.kind));
    expect(first).toMatchObject({
      kind: 'alarm',
      result: 'done',
      times: { voiceJoined: expect.any(Number) },
    });
    expect(second).toMatchObject({ recordId: callId, result: 'done', reason: /part of an alarm/ });
  });

  it('counts the recordings whose words are recognised', () => {
    const room = recorderRoom();
    const trace = room.session(CALL);
    trace.add('recorded', { fileName: 'one.wav', transcribed: true });
    trace.add('recorded', { fileName: 'two.wav' });
    trace.add('sessionEnded', { outcome: 'ended', answered: true });
    room.after(300);
    expect(room.records.all()).toMatchObject([{ recordings: ['one.wav', 'two.wav'], transcripts: 1 }]);
  });

  it('names each prompt that was played once', () => {
    const room = recorderRoom();
    const trace = room.session(CALL);
    for (const fileName of ['menu.wav', 'menu.wav', 'bye.wav']) trace.add('promptPlayed', { fileName });
    trace.add('sessionEnded', { outcome: 'ended' });
    room.after(300);
    expect(room.records.all()).toMatchObject([{ prompts: ['menu.wav', 'bye.wav'] }]);
  });

  it('keeps within 4 KB whatever it is given, and says that it was cut', () => {
    const room = recorderRoom();
    const long = 'ü'.repeat(10_000);
    const trace = room.session({
      ...CALL,
      from: long,
      to: long,
      requestUri: long,
      rule: long,
      receiverName: long,
    });
    for (let n = 0; n < 100; n++) {
      trace.add('alarmRaised', { type: `${n} ${long}` });
      trace.add('recorded', { fileName: `${n} ${long}` });
      trace.add('promptPlayed', { fileName: `${n} ${long}` });
      trace.add('mediaEnded', { leg: `${long}.${n}`, codec: long, received: {} });
    }
    trace.add('sessionEnded', { outcome: 'ended', reason: long });
    room.after(300);
    const [record] = room.records.all();
    expect(record?.cut).toBe(true);
    expect(Buffer.byteLength(JSON.stringify(record))).toBeLessThanOrEqual(RECORD_LIMIT_BYTES);
    expect(room.defects).toEqual([]);
  });

  it('is one for each of 10,000 sessions that end at once', () => {
    const room = recorderRoom();
    const traces = Array.from({ length: 10_000 }, (_, n) => room.session({ ...CALL, sessionId: `s${n}` }));
    room.after(2_000);
    expect(room.records.puts).toHaveLength(10_000);
    for (const trace of traces) trace.add('sessionEnded', { outcome: 'ended', answered: true });
    room.after(300);
    expect(room.records.puts).toHaveLength(20_000);
    expect(new Set(room.records.all().map(({ recordId }) => recordId)).size).toBe(10_000);
    expect(room.records.all().every(({ result }) => result === 'done')).toBe(true);
    expect(room.recorder.size).toBe(0);
  });
});

describe('a start without an end, at the next start of the host', () => {
  it('is interrupted, with the facts that it had', () => {
    const before = recorderRoom();
    before.session(CALL);
    before.after(2_500);
    const room = recorderRoom(before.records, before.clock.wallMs() + 60_000);
    room.recorder.recall();
    room.recorder.interrupted(() => false);
    expect(room.records.all()).toMatchObject([
      {
        ...{ kind: 'call', result: 'interrupted', from: 'anna', to: 'bo', durationMs: 62_500 },
        reason: 'The program of the host ended in the middle of the session',
      },
    ]);
    // A second start finds nothing that is open.
    expect(room.records.running()).toEqual([]);
  });

  it('goes on for an alarm with what was known of it, here or at another host', () => {
    const before = recorderRoom();
    const alarm = before.session({ kind: 'alarm', sessionId: 'here', from: 'unit' });
    alarm.add('stored', { eventId: 'e' });
    const recordId = alarm.recordId ?? '';
    before.session({ kind: 'alarm', sessionId: 'elsewhere' });
    before.session({ kind: 'alarm', sessionId: 'over' });
    before.after(2_500);
    const room = recorderRoom(before.records, before.clock.wallMs());
    room.recorder.recall();
    const again = room.trace();
    again.open({ kind: 'alarm', sessionId: 'here', recordId, restarts: 1 });
    room.recorder.interrupted((sessionId) => sessionId === 'over');
    again.add('sessionEnded', { outcome: 'cleared' });
    room.after(300);
    const of = (id: string) => room.records.all().find(({ sessionId }) => sessionId === id);
    expect(of('here')).toMatchObject({ recordId, result: 'done', restarts: 1, from: 'unit' });
    expect(of('here')?.times.stored).toBeGreaterThan(0);
    expect(of('elsewhere')).toMatchObject({ result: 'running' });
    expect(of('over')).toMatchObject({ result: 'interrupted' });
  });
});

describe('refused and unidentified attempts', () => {
  it('are one row for each source and minute, with their number', () => {
    const room = recorderRoom();
    for (let n = 0; n < 7; n++) room.recorder.attempted('192.0.2.1', 'refused');
    room.recorder.attempted('192.0.2.2', 'unknownUnit');
    room.after(60_000);
    expect(room.records.all()).toMatchObject([
      { kind: 'attempt', result: 'refused', source: '192.0.2.1', attempts: 7 },
      { source: '192.0.2.2', attempts: 1, reason: 'The last attempt was refused: unknownUnit' },
    ]);
    room.recorder.attempted('192.0.2.1', 'refused');
    room.after(60_000);
    expect(room.records.all()).toHaveLength(3);
  });

  it('are a bounded number of rows for a flood from many sources', () => {
    const room = recorderRoom();
    for (let n = 0; n < 100_000; n++)
      room.recorder.attempted(`198.51.${Math.floor(n / 250) % 250}.${n % 250}`, 'refused');
    room.after(60_000);
    const rows = room.records.all();
    expect(rows).toHaveLength(101);
    expect(rows.find(({ source }) => source === 'other sources')?.attempts).toBeGreaterThan(90_000);
    expect(rows.reduce((sum, { attempts = 0 }) => sum + attempts, 0)).toBe(100_000);
  });

  it('are written when the program ends within the minute', () => {
    const room = recorderRoom();
    room.recorder.attempted('192.0.2.1', 'refused');
    room.recorder.flush();
    expect(room.records.all()).toMatchObject([{ source: '192.0.2.1', attempts: 1 }]);
  });
});
