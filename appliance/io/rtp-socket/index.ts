/** Public face of the sockets of legs: port pairs of a range, one socket each for RTP and RTCP. */
export { Descriptors } from './descriptors.ts';
export { openRtpNetwork } from './open-rtp-network.ts';
export { PortPool, REST_MS } from './port-pool.ts';
export { openRtpPair, type RtpNetwork, type RtpPair, type RtpSocket } from './rtp-socket.ts';
