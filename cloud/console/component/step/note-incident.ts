import { msg } from '@lingui/core/macro';
import type { NoteTable } from './note-table.ts';

/** The sentences of incidents, as hosts and the control plane write them. */
export const INCIDENT_NOTES: NoteTable = {
  // A host that is silent.
  'Host … is silent: the host is down, or its site has no uplink.': (host) =>
    msg`Host ${host} is silent: the host is down, or its site has no uplink.`,
  'Host … is silent: the host is down, or its site has no uplink. No host of the site is reached: its uplink or its power has failed.':
    (host) =>
      msg`Host ${host} is silent: the host is down, or its site has no uplink. No host of the site is reached: its uplink or its power has failed.`,
  'Host … is down: another host of the site does not see it either.': (host) =>
    msg`Host ${host} is down: another host of the site does not see it either.`,
  'Host … is not reached, and another host of the site sees it: its uplink is down.': (host) =>
    msg`Host ${host} is not reached, and another host of the site sees it: its uplink is down.`,
  'Host … was shut down.': (host) => msg`Host ${host} was shut down.`,
  'Host … was switched off.': (host) => msg`Host ${host} was switched off.`,
  'No host of site … is reached (…): its uplink or its power has failed.': (site, hosts) =>
    msg`No host of site ${site} is reached (${hosts}): its uplink or its power has failed.`,
  'Host … loses its connection repeatedly. Further short losses are only counted.': (host) =>
    msg`Host ${host} loses its connection repeatedly. Further short losses are only counted.`,
  'Many hosts fell silent at once: the control plane does not receive their heartbeats. Sites continue to work by themselves.': msg`Many hosts fell silent at once: the control plane does not receive their heartbeats. Sites continue to work by themselves.`,
  "Two machines use the identity of host … and interrupt each other's connection. Switch one off, or quarantine the host.":
    (host) =>
      msg`Two machines use the identity of host ${host} and interrupt each other's connection. Switch one off, or quarantine the host.`,

  // Its configuration, its certificate, its life.
  'Host … refused revision … of … and keeps the one before.': (host, revision, scope) =>
    msg`Host ${host} refused revision ${revision} of ${scope} and keeps the one before.`,
  'The certificate of host … ends in … days and was not renewed. Check whether the host is connected.': (
    host,
    days,
  ) =>
    msg`The certificate of host ${host} ends in ${days} days and was not renewed. Check whether the host is connected.`,
  'The certificate of host … has ended and was not renewed. Check whether the host is connected.': (host) =>
    msg`The certificate of host ${host} has ended and was not renewed. Check whether the host is connected.`,
  'Host … cannot be drained. …': (host, reason) => msg`Host ${host} cannot be drained: ${reason}.`,
  'the other hosts of the site cannot be reached': msg`the other hosts of the site cannot be reached`,
  'no other host of the site can take the services': msg`no other host of the site can take the services`,
  'no other host may take …: their labels (svc=…), free memory or health do not allow it': (services) =>
    msg`no other host may take ${services}: labels (svc=…), free memory or health do not allow it`,
  'no other host has taken over the address of the site': msg`no other host has taken over the address of the site`,
  '… calls go on; drain with force to end them': (calls) =>
    msg`${calls} calls go on; drain with force to end them`,
  '… alarm calls go on; they are never ended': (calls) =>
    msg`${calls} alarm calls go on; they are never ended`,
  '… events wait for their receivers or for the cloud': (events) =>
    msg`${events} events wait for their receivers or for the control plane`,
  'The addresses of the control plane (…) are not in force: …': (networkInterfaces, reason) =>
    msg`The addresses of the control plane (${networkInterfaces}) are not in force: ${reason}`,
  'The addresses of the control plane are not in force: …': (reason) =>
    msg`The addresses of the control plane are not in force: ${reason}`,
  'two hosts hold the address of the site': msg`two hosts hold the address of the site`,

  // Its machine.
  '… MiB (… %) of memory are free': (size, share) => msg`${size} MiB (${share} %) of memory are free`,
  'programs wait for memory … % of the time; …': (share, free) =>
    msg`programs wait for memory ${share} % of the time; ${free}`,
  'the disk is … % full, … MiB are free': (share, size) =>
    msg`the disk is ${share} % full, ${size} MiB are free`,
  'the clock has no time source; check the network time settings': msg`the clock has no time source; check the network time settings`,
  'the clock has no time source; set the time servers': msg`the clock has no time source; set the time servers`,
  'the disk is too slow for alarms, or cannot be written; use an SSD': msg`the disk is too slow for alarms, or cannot be written; use an SSD`,
  'not open: …': (ports) => msg`not open: ${ports}`,
  'too little memory is free; end other programs or add memory': msg`too little memory is free; end other programs or add memory`,
  '… cannot be reached; check the network between the hosts': (hosts) =>
    msg`${hosts} cannot be reached; check the network between the hosts`,
  'audio waits for the processor; no call is refused for it; give this machine a processor of its own': msg`audio waits for the processor; no call is refused for it; give this machine a processor of its own`,
  'audio waits for the processor (… % stolen by the host of this machine, … % used by Carillon); no call is refused for it; give this machine a processor of its own':
    (stolen, used) =>
      msg`audio waits for the processor (${stolen} % stolen by the host of this machine, ${used} % used by Carillon); no call is refused for it; give this machine a processor of its own`,
  'audio has too much to do by its own calls: new ordinary calls get 503, alarms and running calls go on; spread calls over more hosts': msg`audio has too much to do by its own calls: new ordinary calls get 503, alarms and running calls go on; spread calls over more hosts`,

  // Its conditions.
  'The host refused the configuration.': msg`The host refused the configuration.`,
  'The host has not applied … revisions yet.': (revisions) =>
    msg`The host has not applied ${revisions} revisions yet.`,
  'The certificate has ended.': msg`The certificate has ended.`,
  'The certificate ends in … days.': (days) => msg`The certificate ends in ${days} days.`,
  'The clock of the host has no time source.': msg`The clock of the host has no time source.`,
  '… % free': (share) => msg`${share} % free`,
  '… MB free': (size) => msg`${size} MB free`,
  '… % full': (share) => msg`${share} % full`,
  '… becomes …': (version, next) => msg`${version} becomes ${next}`,

  // Its services.
  '… starts failed in 5 min: …': (starts, reason) => msg`${starts} starts failed in 5 min: ${reason}`,
  'the start takes longer than 60 s': msg`the start takes longer than 60 s`,
  'the journal cannot be written': msg`the journal cannot be written`,
  'the outbox is … s late': (seconds) => msg`the outbox is ${seconds} s late`,
  '… of … media workers do not answer': (silent, all) => msg`${silent} of ${all} media workers do not answer`,
  'SIP is not open': msg`SIP is not open`,
  'OPTIONS to … was not answered within 2 s': (address) =>
    msg`OPTIONS to ${address} was not answered within 2 s`,
  'OPTIONS was answered with …': (answer) => msg`OPTIONS was answered with ${answer}`,
  'The endpoint of … does not accept callbacks. It answered …. Callbacks are kept and sent again. Look whether the application runs, and whether it answers 2xx.':
    (name, status) =>
      msg`The endpoint of ${name} does not accept callbacks. It answered ${status}. Callbacks are kept and sent again. Look whether the application runs, and whether it answers 2xx.`,
  'The endpoint of … does not accept callbacks. It gave no answer: …. Callbacks are kept and sent again. Look whether the application runs, and whether it answers 2xx.':
    (name, reason) =>
      msg`The endpoint of ${name} does not accept callbacks. It gave no answer: ${reason}. Callbacks are kept and sent again. Look whether the application runs, and whether it answers 2xx.`,
  'The endpoint of … does not accept callbacks. It accepts callbacks again.': (name) =>
    msg`The endpoint of ${name} accepts callbacks again.`,
  'Set digestAlgorithm of the device to md5 or sha256, or correct its password.': msg`Set digestAlgorithm of the device to md5 or sha256, or correct its password.`,

  // Its files.
  'the file of the journal was removed or replaced while the program ran; the program has restored it and no row is missing. Find out who removes files from the data folder, and leave its files alone while the program runs.': msg`the file of the journal was removed or replaced while the program ran; the program has restored it and no row is missing. Find out who removes files from the data folder, and leave its files alone while the program runs.`,
  'the file of the configuration was removed or replaced while the program ran; the program has restored it and no row is missing. Find out who removes files from the data folder, and leave its files alone while the program runs.': msg`the file of the configuration was removed or replaced while the program ran; the program has restored it and no row is missing. Find out who removes files from the data folder, and leave its files alone while the program runs.`,
  'the file of the records of sessions was removed or replaced while the program ran; the program has restored it and no row is missing. Find out who removes files from the data folder, and leave its files alone while the program runs.': msg`the file of the records of sessions was removed or replaced while the program ran; the program has restored it and no row is missing. Find out who removes files from the data folder, and leave its files alone while the program runs.`,
  'the journal was damaged; what could be read of it was taken into a new one, and … callbacks that waited are delivered late. Keep the file, make a support bundle and change the disk.':
    (callbacks) =>
      msg`the journal was damaged; its readable rows were taken into a new one, and ${callbacks} callbacks that waited are delivered late. Keep the file, make a support bundle and change the disk.`,
  'the journal was damaged and nothing could be taken out of it (…); a new one was begun. Keep the file, make a support bundle and change the disk.':
    (reason) =>
      msg`the journal was damaged and nothing could be taken out of it (${reason}); a new one was begun. Keep the file, make a support bundle and change the disk.`,
  'a file of the recordings of this host was damaged; the others are whole, and the damaged one was set aside. Make a support bundle and check the disk.': msg`a file of the recordings of this host was damaged; the others are whole, and the damaged one was set aside. Make a support bundle and check the disk.`,
  'the copy of the configuration was missing at the start; the last good one stands in until the cloud sends what is newer, and overrides of this host are lost. Find out who removes files from the data folder.': msg`the copy of the configuration was missing at the start; the last good one stands in until the control plane sends a newer one, and overrides of this host are lost. Find out who removes files from the data folder.`,
  'the copy of the configuration was damaged; it is fetched again from the cloud, and overrides of this host are lost. Keep the file, make a support bundle and change the disk.': msg`the copy of the configuration was damaged; it is fetched again from the control plane, and overrides of this host are lost. Keep the file, make a support bundle and change the disk.`,
  'the records of sessions were damaged; … of them could be read and are in a new file. Alarms are not concerned. Keep the file, make a support bundle and change the disk.':
    (records) =>
      msg`the records of sessions were damaged; ${records} of them could be read and are in a new file. Alarms are not concerned. Keep the file, make a support bundle and change the disk.`,
};
