export { type BrowserKeys, encryptPush, messageRandom } from './encryption.ts';
export { pushSender } from './push-sender.ts';
