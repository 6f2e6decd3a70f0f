import { describe, expect, it } from 'vitest';
import { RECORD_KINDS, type RecordKind, type SessionRecord } from '#shared/contract/session-record/index.ts';
import { alarmRecords, alarmSentRecords } from './matrix-alarm.ts';
import { callRecords, cloudUserAgentRecords, mediaServiceRecords, recordingRecords } from './matrix-call.ts';
import { contradictionsIn, RECORD_FIELDS, valuesIn } from './matrix-cell.ts';
import { attemptRecords, messageRecords } from './matrix-message.ts';
import { RECORD_MATRIX } from './matrix-table.ts';

/*
 * Every field of a record, for every kind: a journey on the fake network brings about its value, or the table says why the kind
 * has none. A field that a kind is said not to have is not in any record of it.
 */

const JOURNEYS: Readonly<Record<RecordKind, () => Promise<readonly SessionRecord[]>>> = {
  alarm: alarmRecords,
  alarmSent: alarmSentRecords,
  call: callRecords,
  mediaService: mediaServiceRecords,
  cloudUserAgent: cloudUserAgentRecords,
  recording: recordingRecords,
  message: messageRecords,
  attempt: attemptRecords,
};

const PATIENT = { timeout: 240_000 };

describe.each(RECORD_KINDS)('a record of kind %s', (kind) => {
  const row = RECORD_MATRIX[kind];

  it('has an answer for every field of the contract, and for no other', () => {
    expect(Object.keys(row).toSorted()).toEqual(RECORD_FIELDS.toSorted());
  });

  // A busy machine takes its time: programs of their own hear and recognise.
  it(
    'has the values that its journeys bring about, and none that it is said not to have',
    PATIENT,
    async () => {
      const records = await JOURNEYS[kind]();
      expect(records.flatMap(contradictionsIn)).toEqual([]);
      const values = (path: string) => records.flatMap((record) => valuesIn(record, path));
      for (const [path, cell] of Object.entries(row))
        if ('is' in cell) expect.soft(values(path), `${kind} ${path}`).toContainEqual(cell.is);
        else expect.soft(values(path), `${kind} ${path}: ${cell.none}`).toEqual([]);
    },
  );
});

it('every reason for an empty cell is a sentence', () => {
  const reasons = Object.values(RECORD_MATRIX).flatMap((row) =>
    Object.values(row).flatMap((cell) => ('none' in cell ? [cell.none] : [])),
  );
  expect(reasons.filter((reason) => reason.split(' ').length < 4)).toEqual([]);
});
