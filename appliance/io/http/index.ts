export type { OwnListener } from '#shared/matching/index.ts';
export { type CallbackClient, type CallbackClientSetting, createCallbackClient } from './callback-client.ts';
export type { PostAnswer, PostFailureCode, PostJson, PostRequest, PostResult } from './callback-request.ts';
export { AddressRefused, checkedLookup, type Resolve, systemResolve } from './checked-connect.ts';
export { type Download, downloader } from './download.ts';
export { answerHealth, type HealthFacts } from './health-page.ts';
export { createSigner, type SigningEntry, type SignJwt } from './jwt-signer.ts';
export { type Certificate, type HttpsListener, type ListenOptions, listenHttps } from './listener.ts';
export { type ReplyKey, replyKey } from './reply-key.ts';
