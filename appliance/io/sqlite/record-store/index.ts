export type { NumberedRecord } from './record-reads.ts';
export { openRecordStore, type RecordStore } from './record-store.ts';
