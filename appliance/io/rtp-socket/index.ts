/** Public face of the sockets of legs: port pairs of a range, one socket each for RTP and RTCP. */
export { PortPool } from './port-pool.ts';
export { openRtpPair, type RtpPair, type RtpSocket } from './rtp-socket.ts';
