export { type Api, type ApiEnv, createRouter } from './api.ts';
export { createApp } from './app.ts';
export type { HttpCall } from './call.ts';
export type { Gate } from './gate.ts';
export { afterOf, continuedAt } from './next-token.ts';
export { answers, jsonBody, patchBody } from './operation.ts';
export type { AppPort } from './port.ts';
export { domainParam } from './provisioning/param.ts';
export { type RefusalStatus, refusal } from './refusal.ts';
