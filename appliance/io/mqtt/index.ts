export { openMqtt } from './mqtt-connection.ts';
