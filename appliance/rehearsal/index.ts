export type { RehearsalResult, RehearsalRun } from './io/rehearsal-run.ts';
export { type OpenRehearsal, openRehearsal } from './io/rehearse.ts';
export { type FrontCertificate, openTlsFront, type TlsFront } from './io/tls-front.ts';
export { rehearsalPage, SITUATIONS } from './situation/index.ts';
