export { brokerPassword } from './broker-password.ts';
export { bundleSource, readBundle } from './bundle-source.ts';
export { openConfigKeys } from './config-key.ts';
export { createEdgeClient, type EdgeClient } from './edge-client.ts';
export { type EnrolSetting, enrol } from './enrol.ts';
export { loadIdentity, saveIdentity } from './identity-file.ts';
export { ownCertificate } from './own-certificate.ts';
export { type Upload, uploadRecording } from './upload-recording.ts';
export { hostReader, signedReader } from './verify-signed.ts';
