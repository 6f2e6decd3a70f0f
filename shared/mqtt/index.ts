/** Public face of what the ends of MQTT connections share. */
export { PacketMeter } from './packet-meter.ts';
export { sendAtOnce } from './send-at-once.ts';
export { isPing, PINGRESP, pubAck, soleMessage } from './sole-packet.ts';
