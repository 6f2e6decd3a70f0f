export * from './callback/index.ts';
export * from './client/index.ts';
export type * from './contract/api.codes.ts';
