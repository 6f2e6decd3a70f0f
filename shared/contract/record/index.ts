export * from './audit.ts';
export * from './audit-chain.ts';
export * from './bulk.ts';
export * from './csv-text.ts';
export * from './log.ts';
export * from './privacy.ts';
export * from './resource-version.ts';
export * from './usage.ts';
