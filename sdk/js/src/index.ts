export type * from './api.codes.ts';
export * from './callback/index.ts';
export * from './client/index.ts';
