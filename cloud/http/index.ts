export { type Api, type ApiEnv, createRouter } from './api.ts';
export { createApp } from './app.ts';
export type { HttpCall } from './call.ts';
export type { Gate } from './gate.ts';
export type { AppPort } from './port.ts';
