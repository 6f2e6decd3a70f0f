export type { OwnListener } from '#shared/matching/index.ts';
export { type CallbackClient, type CallbackClientSetting, createCallbackClient } from './callback-client.ts';
export type { PostAnswer, PostFailureCode, PostJson, PostRequest, PostResult } from './callback-request.ts';
export { checkedConnector, portOf } from './checked-connect.ts';
export { type Download, downloader } from './download.ts';
export { createSigner, type SigningEntry, type SignJwt } from './jwt-signer.ts';
export { type ReplyKey, replyKey } from './reply-key.ts';
