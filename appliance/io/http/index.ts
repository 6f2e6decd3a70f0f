export type { PostAnswer, PostFailureCode, PostJson, PostRequest, PostResult } from './callback-request.ts';
