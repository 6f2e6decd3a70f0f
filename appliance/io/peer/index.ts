export { createPeerClient, type PeerClient } from './peer-client.ts';
export { openPeerServer, type PeerServer } from './peer-server.ts';
