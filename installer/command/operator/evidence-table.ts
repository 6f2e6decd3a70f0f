import type { Client } from '#shared/client/index.ts';
import { ok } from '#shared/result.ts';
import type { Answered, Given, Operation } from './operation/operation.ts';
import { keepFile, tracedRecord } from './record-table.ts';

/** Evidence of sessions. */
export const EVIDENCE_OPERATIONS: readonly Operation[] = [
  {
    name: 'evidence',
    does: 'Writes the evidence of one session into a file, signed by the platform. Each look stands in the audit log.',
    arguments: ['domain', 'traceId'],
    options: [['--out <file>', 'file to write (default: evidence-<traceId>.tar.gz)']],
    example: 'carillon evidence care.example 0b3f3a0e-6b1a-4a55-9d0c-2f5b6f1f7c11 --out alarm.tar.gz',
    run: evidenceOf,
    sentence: ({ file, bytes }) =>
      `${file}: ${bytes} bytes of personal data; its index.html says who deletes it, and when.`,
  },
];

async function evidenceOf(client: Client, given: Given): Answered {
  const { domain = '', traceId = '' } = given;
  const record = await tracedRecord(client, { ...given, traceId });
  if (!record.ok) return record;
  const { recordId } = record.value;
  const answer = await client.file('getRecordByDomainByRecordIdEvidence', { domain, recordId });
  if (!answer.ok) return answer;
  const file = given.out ?? `evidence-${traceId.replace(/[^\w-]/g, '_')}.tar.gz`;
  keepFile(file, answer.value);
  return ok({ success: true, recordId, file, bytes: answer.value.length });
}
