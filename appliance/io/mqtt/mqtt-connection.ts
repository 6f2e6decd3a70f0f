import { rootCertificates } from 'node:tls';
import { connect, type MqttClient } from 'mqtt';
import { writeToStream } from 'mqtt-packet';
import { sendAtOnce } from '#shared/mqtt/index.ts';
import type { BrokerAddress, BrokerConnection, BrokerListener } from '../../site/index.ts';

// The library would keep each number of two bytes as a Buffer of its own, 8 MB in all; a new one for each packet costs less than 1 µs.
writeToStream.cacheNumbers = false;

const KEEPALIVE_S = 30;
const CONNECT_TIMEOUT_MS = 10_000;

/**
 * One MQTT 3.1.1 connection, one life: when it is lost, a new one is made by whoever owns the back-off.
 * The library's own reconnect stays off; two loops would throw each other's client id out.
 * `trustPem`: authorities of `CARILLON_TRUST`, for a broker whose certificate is none of the platform's.
 */
export function openMqtt(
  address: BrokerAddress,
  listener: BrokerListener,
  trustPem?: string,
): BrokerConnection {
  const client: MqttClient = connect(address.url, {
    clientId: address.uid,
    username: address.uid,
    ...(address.password === undefined ? {} : { password: address.password }),
    ...tlsOf(address, trustPem),
    protocolVersion: 4,
    clean: true,
    keepalive: KEEPALIVE_S,
    connectTimeout: CONNECT_TIMEOUT_MS,
    reconnectPeriod: 0,
    resubscribe: false,
    will: { topic: address.will.topic, payload: Buffer.from(address.will.payload), qos: 1, retain: true },
  });
  let over = false;
  let lastError = 'the broker closed the connection';
  const finish = (): void => {
    if (over) return;
    over = true;
    client.removeAllListeners('message');
    // Ends what is still under way with an error: the library would keep it for a connection that never comes.
    client.end(true);
    listener.lost(lastError);
  };
  client.on('connect', () => {
    sendAtOnce(client.stream);
    if (!over) listener.opened();
  });
  client.on('message', (topic, payload) => listener.message(topic, payload));
  client.on('error', (error) => {
    lastError = error.message;
    // A refused CONNACK leaves the socket to us.
    client.end(true);
  });
  client.on('close', finish);
  return {
    publish: async (topic, payload, { qos, retain = false }) => {
      if (over) throw new Error(`not published to ${topic}: ${lastError}`);
      await client.publishAsync(topic, payload, { qos, retain });
    },
    subscribe: async (topic) => {
      await client.subscribeAsync(topic, { qos: 1 });
    },
    end: async () => {
      over = true;
      await client.endAsync(!client.connected);
    },
  };
}

/** The authorities of the platform and of the setting; without the platform's, those that Node.js trusts and the setting. */
function tlsOf({ url, tls }: BrokerAddress, trustPem: string | undefined) {
  if (tls !== undefined) return trustPem === undefined ? tls : { ...tls, ca: [tls.ca, trustPem] };
  const isSecure = url.startsWith('mqtts:') && trustPem !== undefined;
  return isSecure ? { ca: [...rootCertificates, trustPem] } : {};
}
