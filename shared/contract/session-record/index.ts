export * from './batch.ts';
export * from './record.ts';
