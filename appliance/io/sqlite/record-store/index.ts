export type { NumberedRecord } from './record-reads.ts';
export { openRecordStore, type RecordDamage, type RecordStore } from './record-store.ts';
