import { msg } from '@lingui/core/macro';
import type { NoteTable } from './note-table.ts';

/** The sentences about the deployment itself: its alarms, and the check of its broker. */
export const PLATFORM_NOTES: NoteTable = {
  // Its alarms.
  'Many hosts of … tenants fell silent at once. Check the broker and the network to it.': (tenants) =>
    msg`Many hosts of ${tenants} tenants fell silent at once. Check the broker and the network to it.`,
  'A machine came from … without a valid claim code.': (address) =>
    msg`A machine came from ${address} without a valid claim code.`,
  'The broker … has served no shard for half a minute. Hosts use the other brokers; start it, or take it out of CARILLON_MQTT.':
    (url) =>
      msg`The broker ${url} has served no shard for half a minute. Hosts use the other brokers; start it, or take it out of CARILLON_MQTT.`,
  'The broker … has not answered the control plane on … for half a minute, and other control planes observe the hosts. Check the network between the two.':
    (url, machine) =>
      msg`The broker ${url} has not answered the control plane on ${machine} for half a minute, and other control planes observe the hosts. Check the network between the two.`,
  '… shards have had no broker for half a minute.': (shards) =>
    msg`${shards} shards have had no broker for half a minute.`,
  'The embedded broker is overloaded: more than … hosts use it. Set CARILLON_MQTT to a separate broker (carillon broker export mosquitto).':
    (hosts) =>
      msg`The embedded broker is overloaded: more than ${hosts} hosts use it. Set CARILLON_MQTT to a separate broker (carillon broker export mosquitto).`,
  'The embedded broker is meant for up to … hosts. Set CARILLON_MQTT for more hosts, or where supervision must survive the loss of one machine.':
    (hosts) =>
      msg`The embedded broker is meant for up to ${hosts} hosts. Set CARILLON_MQTT for more hosts, or where supervision must survive the loss of one machine.`,
  '… credentials cannot sign callbacks; the first is of …, …: ….': (count, place, path, reason) =>
    msg`${count} credentials cannot sign callbacks; the first is of ${place}, ${path}: ${reason}.`,
  'The database of the control plane was damaged. The start of … read every row of it into a new file, and … is the damaged one. Check the disk, make a support bundle, and move the damaged file away: then this alarm ends.':
    (time, file) =>
      msg`The database of the control plane was damaged. The start of ${time} read every row of it into a new file, and ${file} is the damaged one. Check the disk, make a support bundle, and move the damaged file away: then this alarm ends.`,
  'The file of the database was removed or replaced at … while the control plane ran. The program has restored it and no row is missing. Find out who removes files from its folder, stop the program before a backup is put back, and remove the note …: then this alarm ends.':
    (time, file) =>
      msg`The file of the database was removed or replaced at ${time} while the control plane ran. The program has restored it and no row is missing. Find out who removes files from its folder, stop the program before a backup is put back, and remove the note ${file}: then this alarm ends.`,

  // Whom its broker lets in, and to what.
  'The broker lets the control plane in.': msg`The broker lets the control plane in.`,
  'The broker does not let the control plane in: …. Look at CARILLON_MQTT, CARILLON_MQTT_CERT, CARILLON_MQTT_KEY and CARILLON_TRUST.':
    (reason) =>
      msg`The broker does not let the control plane in: ${reason}. Look at CARILLON_MQTT, CARILLON_MQTT_CERT, CARILLON_MQTT_KEY and CARILLON_TRUST.`,
  'A host is let in by its certificate, and its client id of 26 characters is accepted.': msg`A host is let in by its certificate, and its client id of 26 characters is accepted.`,
  'A host is not let in: …. The authority in carillon-ca.pem must be trusted for clients.': (reason) =>
    msg`A host is not let in: ${reason}. The authority in carillon-ca.pem must be trusted for clients.`,
  'Messages of a host in its own branch arrive.': msg`Messages of a host in its own branch arrive.`,
  'A host may not write below its own branch: allow it …/up/#.': (branch) =>
    msg`A host may not write below its own branch: allow it ${branch}/up/#.`,
  'A message of 64 KiB arrives, and a host receives the messages for it.': msg`A message of 64 KiB arrives, and a host receives the messages for it.`,
  'A message of 64 KiB to a host does not arrive: allow it to read dn/+ of its branch, and packets of 73728 bytes.': msg`A message of 64 KiB to a host does not arrive: allow it to read dn/+ of its branch, and packets of 73728 bytes.`,
  'The will of a host that was cut off does not arrive: allow wills, and let hosts write up/state.': msg`The will of a host that was cut off does not arrive: allow wills, and let hosts write up/state.`,
  'Messages of a host in the name of another host, or of the control plane, reach no client.': msg`Messages of a host in the name of another host, or of the control plane, reach no client.`,
  'A host may write …: install carillon.acl, and allow nothing besides it.': (topics) =>
    msg`A host may write ${topics}: install carillon.acl, and allow nothing besides it.`,
  'A host receives no message for another host, whatever it subscribes to.': msg`A host receives no message for another host, whatever it subscribes to.`,
  'A host receives …: install carillon.acl, which also judges deliveries.': (topics) =>
    msg`A host receives ${topics}: install carillon.acl, which also judges deliveries.`,
  'No client is let in without a certificate.': msg`No client is let in without a certificate.`,
  'The broker lets in a client without a certificate: require_certificate true, allow_anonymous false.': msg`The broker lets in a client without a certificate: require_certificate true, allow_anonymous false.`,

  // Its abilities.
  'The broker accepts client ids of 64 characters.': msg`The broker accepts client ids of 64 characters.`,
  'The broker refuses long client ids, and hosts use 26 characters. Allow longer client ids.': msg`The broker refuses long client ids, and hosts use 26 characters. Allow longer client ids.`,
  'The broker keeps a retained message for later subscribers.': msg`The broker keeps a retained message for later subscribers.`,
  'The broker does not keep retained messages, and hosts read their twins from them. Switch retained messages on.': msg`The broker does not keep retained messages, and hosts read their twins from them. Switch retained messages on.`,
  'The broker publishes the will of a client that is cut off.': msg`The broker publishes the will of a client that is cut off.`,
  'The broker does not publish the will of a client that is cut off. Allow wills.': msg`The broker does not publish the will of a client that is cut off. Allow wills.`,
  'The broker ends the first connection of a client id when a second one opens.': msg`The broker ends the first connection of a client id when a second one opens.`,
  'The broker keeps two connections of one client id, and must end the older one (MQTT 3.1.1, 3.1.4). Correct its configuration.': msg`The broker keeps two connections of one client id, and must end the older one (MQTT 3.1.1, 3.1.4). Correct its configuration.`,
  'The broker keeps messages while the control plane is disconnected for a moment.': msg`The broker keeps messages while the control plane is disconnected for a moment.`,
  'The broker does not keep the session of the control plane. Allow persistent sessions and queued messages of QoS 1.': msg`The broker does not keep the session of the control plane. Allow persistent sessions and queued messages of QoS 1.`,
  'The broker supports MQTT 5, and Carillon does not need it.': msg`The broker supports MQTT 5, and Carillon does not need it.`,
  'The broker refuses MQTT 5, and Carillon does not need it.': msg`The broker refuses MQTT 5, and Carillon does not need it.`,
  'The broker supports shared subscriptions, and Carillon does not need them.': msg`The broker supports shared subscriptions, and Carillon does not need them.`,
  'The broker does not support shared subscriptions, and Carillon does not need them.': msg`The broker does not support shared subscriptions, and Carillon does not need them.`,
};
