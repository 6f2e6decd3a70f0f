export * from './batch.ts';
export * from './capture.ts';
export * from './evidence.ts';
export * from './export.ts';
export * from './platform-key.ts';
export * from './query.ts';
export * from './record.ts';
export * from './trace.ts';
