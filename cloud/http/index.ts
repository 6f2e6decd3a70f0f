export { type Api, type ApiEnv, createRouter } from './api.ts';
export { createApp } from './app.ts';
export type { HttpCall } from './call.ts';
export { createEdgeApp, type EdgePeer, type EdgePort } from './edge/edge-app.ts';
export { enrolmentRouter } from './edge/enrolment.ts';
export type { Gate } from './gate.ts';
export type { AppPort } from './port.ts';
export { siteAlarmRouter } from './site/alarm.ts';
export { siteRouter } from './site/site.ts';
