/** Public face of what two brokers ask of a stream of MQTT packets. */
export { PacketMeter } from './packet-meter.ts';
export { isPing, PINGRESP, pubAck, soleMessage } from './sole-packet.ts';
