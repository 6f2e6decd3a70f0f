const DEFECT = 'Make a support bundle and report the defect.';
const DISK = 'Check the disk: free space, write errors in `dmesg`.';
const REPEATS = 'Nothing, if it stays alone: the program tries again; else follow `cause`.';
const ROW = 'Keep the journal, make a support bundle and report the row `id`.';

/** The next step of the reader of a warning or an error; `docs/logging.md` shows it beside the event. */
export const LOG_ADVICE: Readonly<Record<string, string>> = {
  // Appliance: alarms
  'alarm_event.defect_caught': DEFECT,
  'alarm_event.store_failed': `${DISK} The device got no acknowledgement.`,
  'alarm_queue.report_failed': `${DISK} The alarm queue of the control plane does not have the alarm; its platform alarm has been raised.`,
  'alarm_session.defect_caught': DEFECT,
  'alarm_stream.defect_caught': `${DEFECT} The call of the alarm went on.`,
  'alarm_session.protocol_unknown': 'Install the version that wrote the session, or a later one.',
  'controller.read_failed': 'Make a support bundle, if it repeats.',
  'event_map.apply_failed': 'Correct `customEventMap` of the bridge; `reason` names the place.',
  'event_mapper.apply_failed': 'Correct `mappingRules` of the event mapper; `path` names the rule.',
  'event_map.compile_failed': 'Correct `customEventMap` of the bridge; `reason` names the place.',
  'nowip.message_not_understood': 'Look after the device or the line of `from`: its messages arrive damaged.',
  'possible_repeat.counted': 'Look after the device, and give it credentials or a key.',
  'protocol_profile.content_ignored':
    'Correct the profile `name`, or upgrade the host to the version that knows it.',
  'receiver.not_answered': 'Check the receiver and the way to it; `reason` says how the attempt ended.',
  'receiver.poll_skipped': 'Complete the mapper: `reason` names the field that polling needs.',
  'sending_session.defect_caught': DEFECT,
  'stored_alarm.read_failed': ROW,
  'stored_sending.read_failed': 'Look at the row `id` of the journal and send the event by hand.',

  'unknown_unit.refused':
    'Provision the units that are yours; close the firewall to the others. `networks` names the worst.',

  // Appliance: calls, media, recordings
  'call.defect_caught': DEFECT,
  'loop_call.defect_caught': DEFECT,
  'media.load_shed': 'Reduce calls, recordings and streams, or give the host more processors.',
  'media_callback.store_failed': DISK,
  'media_leg.defect_caught': DEFECT,
  'media_service.alarm_raised':
    'Read `error` and `errorDetails`; mostly the answer of the application has to be corrected.',
  'media_session.defect_caught': DEFECT,
  'media_worker.died': `Nothing for now: a new worker starts by itself. ${DEFECT}`,
  'media_worker.late': 'Look for the program or the neighbour that takes the processor.',
  'media_worker.overloaded': 'Give the host more processors, or move calls to another host.',
  'prompt.cleanup_failed': DISK,
  'prompt.make_failed': 'Follow `cause`; until then phrases are missing.',
  'record_store.read_failed': `${DISK} Alarms and calls go on; their records are not shown until it is read again.`,
  'record_store.salvaged':
    'Check the disk; records that could not be read are in `file`. Alarms and calls are not concerned.',
  'record_store.write_failed': `${DISK} Alarms and calls go on; their records wait in memory and are written later.`,
  'recording.complete_failed': 'Keep the file and make a support bundle.',
  'recording.space_ended': 'Free disk space, or let the host upload its recordings.',
  'recording.upload_failed':
    'At level error the control plane refused it: follow `reason`; else the host tries again.',
  'recording.write_failed': DISK,
  'registration.read_failed': 'Nothing: the device registers again.',
  'sip.defect_caught': DEFECT,
  'sip_transport.datagrams_dropped':
    'Their senders repeat them. If it lasts, look for a flood in the capture, or give the host more processors.',
  'trunk_host.call_failed': 'Nothing, if another host took the call; else check the trunk and its operator.',
  'trunk_host.went_down': 'Check the connection to the host of the trunk, and ask its operator.',

  // Appliance: the host
  'audit_entry.store_failed': `${DISK} The act has happened and is missing in the audit log.`,
  'background.work_failed': DEFECT,
  'callback.given_up': 'Repair the application, then send the dead letter again (`carillon outbox replay`).',
  'capture.write_failed': `${DISK} Calls and alarms go on; their messages are not captured until the next start.`,
  'certificate.renew_failed': 'Follow the runbook `certificate-ending.md`; the host tries again.',
  'client_certificate.unsuitable':
    'Get a certificate with clientAuth, or accept the one that `reason` names.',
  'clock.check_failed': REPEATS,
  'clock.restore_failed': 'Set the clock by hand: until then TLS fails.',
  'clock.restored': 'Replace the battery of the clock, if this happens after each loss of power.',
  'clock.token_time_corrected': 'Give the host a time source; see `clockUnsynchronised.md` of the runbook.',
  'configuration.apply_failed':
    'Follow `reason`: the disk cannot be written, or a defect; the host tries again.',
  'configuration.copy_failed': DISK,
  'configuration.fetch_failed': 'Nothing, if it stays alone: the host tries again; else follow `reason`.',
  'configuration.hash_differed': 'Nothing, if it stays alone: the host fetches a full copy.',
  'configuration.refused': 'Correct the resource that `faults` names.',
  'configuration.rolled_back': 'Undo the last change of the configuration; `sick` names the engines.',
  'configuration.row_unusable': 'Correct the resource `entity` `id`, or upgrade the host.',
  'configuration.rows_differed': `${DISK} The host repairs its copy by itself.`,
  'damaged_store.alarm_failed': DISK,
  'damaged_store.remove_failed': DISK,
  'damaged_store.found': 'Keep the file `file`, make a support bundle and change the disk.',
  'dead_letter.request_damaged': 'Give the command again.',
  'dead_letter.request_read_failed': 'Check the permissions of the file `file` and give the command again.',
  'devices_seen.store_failed': DISK,
  'disk_space.ballast_freed': 'Free disk space now: the ballast was the last reserve of the journal.',
  'disk_space.check_failed': DISK,
  'disk_space.recordings_removed': 'Free disk space; the control plane still has these recordings.',
  'disk_space.rows_dropped': 'Free disk space and restore the connection to the control plane.',
  'enrolment.postponed': 'Commission the host in the console, or follow `reason`.',
  'enrolment.refused': 'Make a new claim code in the console and run `carillon enrol`.',
  'speech.read_failed':
    'Correct the file that `CARILLON_RECOGNISERS` names, and restart the appliance; `reason` names the place.',
  'hep.send_failed': 'Check `CARILLON_HEP` and `CARILLON_ALLOW_PRIVATE`; `reason` names the cause.',
  'host_report.store_failed': DISK,
  'journal.memory_full': 'Free or replace the disk at once: new alarms are refused.',
  'journal.write_failed': 'Free or replace the disk at once, and do not restart the host.',
  'journal.write_resumed': 'Find the cause of the interruption; no alarm was lost.',
  'listener.address_lost': 'Give the machine the address back, or change the setting.',
  'loop.defect_caught': DEFECT,
  'timer.defect_caught': DEFECT,
  'lost_host.calls_ended': 'Look after the host `uid`.',
  'network_request.not_applied': 'Set the addresses where the program is started, or run it by its unit.',
  'network_request.outcome_read_failed': 'Check the permissions of the file `outcomeFile`.',
  'network_request.postponed': REPEATS,
  'override.applied': 'Remember to clear the override; it ends by itself at its term.',
  'peer.lost': 'Look after the host `uid` and the link between the hosts.',
  'peer_link.check_failed': REPEATS,
  'peer_link.listen_failed': 'Follow `advice`; until then this host works alone.',
  'platform_alarm.issued':
    'Read `type` and `error`; the runbook (`systemd/monitoring/runbook`) has a page for most alarms.',
  'release.fetch_failed': 'Follow `reason`; the host tries again.',
  'service.probe_failed': 'Nothing, if the service comes back by itself; else follow `fault`.',
  'service.start_failed': 'Follow `reason`, then restart the service.',
  'takeover.completed': 'Look after the host `uid`: its work runs here.',
  'takeover.store_failed': DISK,
  'twin.refused': 'With `olderTwin` nothing; else check which control plane signs for this host.',
  'uplink.broker_left':
    'Check the way between the control plane and the broker `broker`; hosts go on at the other brokers.',
  'uplink.connect_failed':
    'Read `reason`: a certificate that is not trusted needs its authority in `CARILLON_TRUST`; else check line, name and broker.',
  'uplink.disconnected': 'Check the connection to the control plane; alarms are handled meanwhile.',
  'usage.write_failed': DISK,
  'wipe.completed': 'Enrol the machine to use it again.',
  'wipe.failed': 'Follow `cause` and start the program again: the wipe continues.',
  'wipe.started': 'Nothing: the platform asked for the wipe.',
  'shutdown.step_held':
    'Read `step` and `reason`; the program ended without it. Make a support bundle, if it repeats.',

  // Control plane
  'blob_folder.copy_failed':
    'Check the bucket of CARILLON_S3; the next start copies the rest. Until then the folder is needed.',
  'broker.connection_refused': 'Check the credentials of the client, if it should be admitted.',
  'broker.shard_lost': 'Check the broker; hosts connect again by themselves.',
  'announcement.look_failed':
    'Check the database: changes that another control plane took reach the hosts of this one late.',
  'announcement.missed': 'Nothing; follow it if it repeats: the database is away for seconds.',
  'bulk_load.check_failed': 'Check the database; the check runs again.',
  'bulk_load.defect_caught': DEFECT,
  'clock.far_off':
    'Set the clock of the machine (chrony); until then the clock of the database counts for all that rows keep.',
  'console.files_not_kept':
    'Free the disk of the data folder, or mend its rights; a page that is open during the next upgrade loads itself again.',
  'credential.check_failed': 'Check the database; the check runs again.',
  'change_log.cleanup_failed': 'Check the database; the clean-up runs again.',
  'change_stream.notify_failed': 'Check the database; subscribers read the changes at the next attempt.',
  'record_month.check_failed':
    'Check the database; records go into the common partition meanwhile, and the check runs again.',
  'database.connection_lost': 'Check the database server, if it repeats; the pool connects again.',
  'database.salvaged':
    'Nothing is lost: every row was read. Check the disk, and move the file `damaged` away when its cause is known: the alarm `storageDamaged` ends then.',
  'database_folder.check_failed':
    'Check the permissions of the folder of the database; the check runs again.',
  'database.restored':
    'Nothing is lost. Find out who removes files from the folder of the database; `replaced` is the file that stood in its place. Remove the file `note` then: the alarm `storageDamaged` ends.',
  'database.write_failed':
    'Free disk space, or check the database server; `reason` says which. Hosts go on serving meanwhile.',
  'deployment_alarm.write_failed': `${REPEATS} Until then the other control planes do not show this alarm.`,
  'deployment_alarm.raised':
    'Read `error` and `reason`; the runbook (`systemd/monitoring/runbook`) has a page for most alarms.',
  'edge_listener.defect_caught': DEFECT,
  'feed.step_failed': 'Check the database; hosts fetch their configuration without this step, only later.',
  'host.lookup_failed': 'Check the database, then repeat the change of the host.',
  'host_configuration.refused': 'Correct the resource that `err` names.',
  'host_deadline.check_failed': 'Check the database; the check runs again.',
  'host_message.dropped': 'Upgrade the host `uid`, if `problem` repeats.',
  'lease.change_failed': 'Check the database; the next look at the shards repeats the change.',
  'lease.lost':
    'Nothing, if the other control plane was started on purpose; else check the database, and that each program has its own.',
  'lease.renew_failed': 'Check the database: without the lease another control plane takes the hosts over.',
  'listener_certificate.renew_failed': 'Follow `cause` before the certificate ends.',
  'monitoring.step_failed': 'Check the database; if it is well, report the defect.',
  'privacy_job.check_failed': 'Check the database; the check runs again.',
  'call_list_test.check_failed': 'Check the database; the check runs again.',
  'call_list_test.not_done':
    'Check that a host of the tenant is online and calls people; the test begins again in the same hour of a later day.',
  'alarm_queue.check_failed':
    'Check the database; the check runs again. Until then a taker without a heartbeat keeps the alarm.',
  'database.migration_waits':
    'Wait: the program migrates as soon as the other transaction ends, and gives up after ten minutes. The view pg_stat_activity names the transaction: end it where it is nothing but a session that a person has left open.',
  'database.later_schema':
    'Nothing during a rolling upgrade; afterwards start this process in the later version, too.',
  'replica.describe_failed': REPEATS,
  'proxy.header_refused':
    'Switch the load balancer `address` to PROXY protocol version 2, or take it out of `CARILLON_TRUSTED_PROXIES`.',
  'relay.given_up': 'Repair the receiver of platform alarms of the tenant; the console shows the alarm.',
  'relay.run_failed': 'Check the database; the delivery runs again.',
  'retention.failed': 'Check the database; the removal runs again.',
  'route.defect_caught': DEFECT,
  'web_push.failed':
    'Check the way out to the push service that `reason` names; the alarms wait in the queue and ring in open windows all along.',
  'web_push.read_failed': 'Check the database; the next alarm wakes the browsers.',
  'signing_key.changed_early': 'Connect the hosts that are away: they learn the key when they return.',
  'signing_key.check_failed': 'Check the database; the check runs again.',
};
