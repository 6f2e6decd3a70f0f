export {
  type Certificate,
  type HttpsListener,
  type ListenOptions,
  listenHttps,
} from './listener.ts';
