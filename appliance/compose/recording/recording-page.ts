import type { EnginePorts } from '../../engine/engine-port.ts';
import { createAdmission } from '../../engine/operations.ts';
import { bearerCrypto, type RecordingPage } from '../../io/site-listener/index.ts';
import type { FindRecording } from '../../media/recording/index.ts';
import { bearerName, noteRecordingRead } from '../../site/privacy/index.ts';

/** Recordings for whoever may use runtime operations of the tenant. */
export const recordingPage = (
  sound: { readonly findRecording: FindRecording },
  ports: EnginePorts,
): RecordingPage => ({
  refusalOf: async (token, domain) =>
    domain === ports.tenant().domain
      ? await createAdmission(ports, bearerCrypto())(token)
      : `This sign-in does not open the tenant ${domain}.`,
  find: sound.findRecording,
  noteRead: (token, fileName) =>
    noteRecordingRead(ports, { actor: bearerName(token, ports.sha256Hex), fileName }),
});
