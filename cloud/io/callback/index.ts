export { type CallbackClient, type CallbackClientSetting, createCallbackClient } from './callback-client.ts';
export { signJwt } from './jwt-signer.ts';
export { signingFault } from './signing-fault.ts';
