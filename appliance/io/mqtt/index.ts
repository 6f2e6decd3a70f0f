export { type MqttAddress, type MqttConnection, type MqttListener, openMqtt } from './mqtt-connection.ts';
