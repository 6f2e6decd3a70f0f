import type { ApplianceEngine } from '../engine/engine.ts';
import type { OperationSetting } from '../engine/operations.ts';
import { bearerCrypto } from '../io/door/index.ts';

/** The engines that carry out the operations of applications in this loop. */
export const operationSetting = (
  runtime: ApplianceEngine,
  verifyReply: OperationSetting['verifyReply'],
): OperationSetting => ({
  commands: runtime.commands,
  sender: runtime.sending.sender,
  messages: runtime.messages,
  handshakes: runtime.handshakes,
  media: runtime.media,
  remote: runtime.remote,
  recordings: runtime.recordings,
  crypto: bearerCrypto(),
  verifyReply,
});
