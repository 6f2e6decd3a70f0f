/** The texts for a technician, in English. `{name}` is filled in. `what` says what happened, `do` what to do. */
export const en = {
  'check.root.what': 'The commands that change this host need root; this is {found}.',
  'check.root.do': 'Run it again with sudo.',
  'check.cpu.what': 'This program is built for {program}, and this machine is {found}.',
  'check.cpu.do': 'Take the file whose name ends in the CPU of this machine.',
  'check.glibc.what': 'The C library is {found}; {least} or newer is needed.',
  'check.glibc.do': 'Use Debian 12, Ubuntu 22.04, RHEL 9 or newer.',
  'check.systemd.what': 'systemd is {found}; {least} or newer must be running.',
  'check.systemd.do': 'Install on a host that is started by systemd, not in a plain container.',
  'check.disk-program.what': 'Only {found} are free under /opt; {least} are needed.',
  'check.disk-program.do': 'Free some space there, or make the file system larger.',
  'check.disk-state.what': 'Only {found} are free under /var/lib; {least} are needed.',
  'check.disk-state.do': 'Free some space there, or make the file system larger.',
  'check.memory.what': 'The machine has {found} of memory; {least} are needed.',
  'check.memory.do': 'Give it more memory.',
  'check.fsync.what': 'The disk takes {found} to make a write safe; alarms wait for that.',
  'check.fsync.do': 'Use an SSD, not a memory card.',
  'check.port.what': 'Port {port} ({transport}) is in use by {holder}.',
  'check.port.do': 'Stop that program, or give another port with the setting that names this one.',
  'check.noexec.what': 'No program may run in {found}; another place is used.',
  'check.noexec.do': 'Nothing needs to be done.',
  'check.noexec-all.what': 'No program may run in any of {found}, and the database needs one place.',
  'check.noexec-all.do': 'Mount one of them without noexec.',
  'check.clock.what': 'The clock is not right or not kept right ({found}).',
  'check.clock.do': 'Set up NTP: timedatectl set-ntp true.',
  'check.sip-alg.what': 'A router on the way seems to rewrite SIP ({found}).',
  'check.sip-alg.do': 'Turn its SIP ALG (SIP helper) off, or speak to trunks over TLS.',
  'check.sip-alg-unknown.what':
    'Whether a router rewrites SIP was not measured: no SIP server outside is known.',
  'check.sip-alg-unknown.do': 'Name one: carillon preflight --sip-peer HOST:PORT.',
  'check.sip-alg-silent.what': 'Whether a router rewrites SIP was not measured: {found} does not answer SIP.',
  'check.sip-alg-silent.do': 'Name a server that does: carillon preflight --sip-peer HOST:PORT.',
  'check.tts.what': 'espeak-ng is not installed; prompts are spoken in English only.',
  'check.tts.do': 'Install the package espeak-ng if other languages are spoken here.',
  'check.old-install.what': 'Release {found} is installed already.',
  'check.old-install.do':
    'Nothing needs to be done: the installation is repeated and repairs what is missing.',
  'check.old-install-deb.what': 'Release {found} is installed from a Debian package.',
  'check.old-install-deb.do': 'Upgrade it with apt.',
  'check.dns.what': 'The name {name} cannot be resolved ({found}).',
  'check.dns.do': 'Check the DNS server: carillon network show. The installation continues without it.',
  'check.cloud-expiring.what': 'The certificate of the control plane ends in {found}.',
  'check.cloud-expiring.do': 'Inform the operator of the control plane.',
  'check.cloud-unreachable.what': 'The control plane cannot be reached ({found}).',
  'check.cloud-unreachable.do':
    'Check the line. The installation continues, and the host enrols once the line is up.',
  'check.cloud-portal.what':
    'Another server answers instead of the control plane ({found}), perhaps a sign-in page of this network.',
  'check.cloud-portal.do': 'Ask for a line without a sign-in page, or for this machine to be let through.',
  'check.cloud-certificate.what': 'The certificate of the control plane is not trusted ({found}).',
  'check.cloud-certificate.do':
    'Give its authority with --trust FILE, or ask which proxy opens the connection.',
  'check.interface-none.what': 'No program configures the interface {name}.',
  'check.interface-none.do': 'Give it an owner with carillon network set.',
  'check.interface-two.what': 'More than one program configures the interface {name}: {found}.',
  'check.interface-two.do': 'Leave it to one of them.',
  'check.ssh-interface.what': 'You are logged in over {found}.',
  'check.ssh-interface.do':
    'A change of its address ends your login; carillon network refuses it without --accept-risk lose-ssh.',
  'check.vip-hosts.what': 'The hosts that share the address {vip} are not named.',
  'check.vip-hosts.do': 'Name them, the same text on each: --vip-hosts ADDRESS=150,ADDRESS=100.',
  'check.vip-mixed.what': 'The shared address {vip} and the host {host} are of two families, IPv4 and IPv6.',
  'check.vip-mixed.do': 'Name every host in --vip-hosts by its address of the family of --vip.',
  'check.vip-listen.what':
    'The shared address {vip} is IPv6, and the service does not listen there with SIP and HTTPS.',
  'check.vip-listen.do':
    'Let SIP that the devices use, and HTTPS, listen on IPv6: --sip-udp "[::]:5060" --appliance-http "[::]:8443". For both families name both: "0.0.0.0:5060,[::]:5060".',
  'check.vip-missing.what': 'The shared address {vip} needs programs that are not installed: {programs}.',
  'check.vip-missing.do': 'Install them: apt install {programs}.',
  'check.vip-foreign.what':
    'keepalived has a configuration that is not from carillon, so {vip} was not set up.',
  'check.vip-foreign.do': 'Move /etc/keepalived/keepalived.conf away, or leave the shared address out.',
  'check.vip-not-here.what': 'None of the hosts that share {vip} is this machine ({hosts}).',
  'check.vip-not-here.do': 'Put the address of this machine into --vip-hosts; it must have it already.',
  'check.vip-outside.what':
    'The shared address {vip} does not lie in the network of this machine ({network} at {name}).',
  'check.vip-outside.do': 'Take a free address of that network, with its prefix length.',
  'check.vip-own.what': '{vip} belongs to one machine alone already ({owner}).',
  'check.vip-own.do': 'Take a free address of the network: the shared one moves between the hosts.',
  'check.vip-taken.what': 'Another machine on the network has the address {vip} already ({holder}).',
  'check.vip-taken.do': 'Take a free address, or take that one away from the other machine.',
  'check.time-missing.what': 'chrony shall keep the time, and it is not installed.',
  'check.time-missing.do': 'Install it: apt install chrony. Or leave the clock to the machine: --time off.',
  'check.time-other.what': 'Another service keeps the clock of this machine: {other}.',
  'check.time-other.do': 'Stop it and start chrony, or leave the clock to it: --time off.',
  'check.time-folder.what': 'chrony does not read /etc/chrony/conf.d on this machine.',
  'check.time-folder.do': 'Put the line "confdir /etc/chrony/conf.d" into /etc/chrony/chrony.conf.',
  'check.time-foreign.what': '/etc/chrony/conf.d/carillon.conf is not from carillon.',
  'check.time-foreign.do': 'Give it another name, or leave the clock as it is: --time off.',
  'check.time-not-here.what': 'None of the hosts that keep the time together is this machine ({hosts}).',
  'check.time-not-here.do': 'Put the address of this machine into --time-hosts; it must have it already.',

  'step.slot': 'put the program in its place',
  'step.user': 'create the user carillon',
  'step.units': 'write the units of systemd',
  'step.current': 'make this the current release',
  'step.folders': 'create the folders',
  'step.configuration': 'write the configuration',
  'step.service': 'the service',
  'step.ready': 'wait until the service answers',
  'step.self-test': 'self-test',
  'step.databases': 'keep a copy of the databases',
  'step.quiet': 'wait until no alarm and no call is active',
  'step.guard': 'arm the rollback',
  'step.switch': 'switch over',
  'step.restart': 'restart the service',
  'step.confirm': 'confirm',
  'step.goodbye': 'notify the control plane',
  'step.remove-units': 'remove the units of systemd',
  'step.remove-user': 'remove the user carillon',
  'step.files': 'remove the files',
  'step.network': 'change the network',
  'step.time': 'the time',
  'step.vip': 'the shared address',
  'step.network-test': 'test gateway, DNS and control plane',

  'state.ok': 'ok',
  'state.warning': 'note',
  'state.failure': 'FAILED',
  'state.skipped': 'skipped',

  'preflight.no-check': 'The check {id} does not exist. Choose one of: {ids}.',

  'plan.title': 'This is going to happen ({name}):',
  'plan.dry': 'Nothing was changed.',
  'plan.ask': 'Continue?',
  'plan.not-asked':
    'The command cannot ask for a confirmation without a terminal. Give --yes to continue, or --dry-run to look only.',
  'plan.declined': 'Nothing was changed.',
  'plan.done': 'changed={changed}',
  'plan.continued': 'An earlier {name} was interrupted at "{step}"; it is continued.',
  'plan.undone-first':
    'An earlier {name} was interrupted at "{step}"; what it had changed has been taken back.',
  'plan.busy': 'Another command ({by}) is changing this host. Wait until it is done.',
  'plan.journal-damaged':
    'The record of the last change ({path}) is damaged. Look at it, move it away and try again.',
  'plan.failed-kept':
    '{step}: {reason} Correct that and run the same command again; it continues where it stopped.',
  'plan.failed-undone': '{step}: {reason} Everything was taken back; what ran before runs again.',

  yes: 'y',
  no: 'n',
  'answer.missing':
    '{flag} is missing, and the command cannot ask for it without a terminal. Give it as a flag, in the environment or in the answer file.',
  'ask.cloud': 'Address of the control plane (https://…, empty: none yet)',
  'ask.claim': 'Claim code (empty: enrol later)',
  'ask.host_id': 'Name of this host in its site',
  'ask.address': 'Address of this host towards devices',

  'install.done': 'Installed. Release {version} answers.',
  'install.deb':
    'This host got its program from a Debian package; only configuration and service are looked at.',
  'install.selftest-failed': 'Installed, but the self-test failed at: {points}. Look at carillon selftest.',
  'service.not-ready':
    'The service did not answer within {seconds} s ({state}). Look at: journalctl -u carillon-appliance -n 50.',
  'service.refused': 'The service refuses its configuration: {reason}',
  'service.none': 'carillon is not installed on this host. Install it first: carillon install.',

  'vip.refused':
    'keepalived does not take the configuration of the shared address: {reason} Look at --vip, --vip-hosts and --vip-id.',
  'vip.here': 'This host has the shared address {vip} now.',
  'vip.elsewhere': 'This host takes part in the shared address {vip}; it does not have it now ({state}).',
  'vip.silent':
    'keepalived did not say within {seconds} s who has the shared address. Look at: journalctl -u keepalived -n 50.',

  'time.refused': 'chrony does not take its configuration: {reason} Look at --time-servers and --time-hosts.',
  'time.up': 'This host asks for the time: {sources}.',
  'time.silent': 'chrony did not answer within {seconds} s. Look at: journalctl -u chrony -n 50.',

  'access.root': '{folder} can be read by root only. Run it again with sudo.',
  'memory.too-little':
    'The memory profile {profile} needs a machine with {needed} MB; this one has {found}. Choose another: --memory-profile standard.',
  'enrol.done': 'Enrolled as {host} of site {site} ({domain}).',
  'enrol.already': 'This host is enrolled as {host} of site {site} ({domain}).',
  'enrol.waiting':
    'The claim was taken; {host} waits to be commissioned in the console. It comes into service by itself then.',
  'enrol.key': 'Fingerprint of its key, which the console must show too: {fingerprint}',
  'enrol.page': 'Its page in the console: {page}',
  'enrol.refused': 'The control plane refused the claim: {reason} Ask for a new code.',
  'enrol.unreachable':
    'The control plane cannot be reached ({reason}). The host stores the code and keeps trying.',
  'enrol.no-cloud': 'The address of the control plane is missing. Give --cloud https://… or a claim file.',
  'enrol.no-claim': 'A claim code is missing. Type it: carillon enrol CODE, or give --file FILE.',
  'enrol.code-length':
    'The claim code is wrong: it has {signs} characters. A typed code has 10, and a code in a QR code or file has 26. Read it again from the console.',
  'enrol.code-sign':
    'The claim code is wrong: no claim code has the character {sign}. Read it again from the console.',
  'enrol.bad-file': '{file} is not a claim file ({reason}). Fetch it again from the console.',
  'enrol.altered-file':
    '{file} was altered since the control plane signed it ({reason}). Do not use it; fetch it again from the console.',
  'enrol.other-site':
    'The claim in {file} is for the site {site}, and this host belongs to {own}. Fetch a claim file of that site from the console.',
  'enrol.expired-file': 'The claim in {file} ended on {date}. Fetch a new one from the console.',

  'status.release': 'Release',
  'status.service': 'Service',
  'status.enrolment': 'Enrolment',
  'status.cloud': 'Control plane',
  'status.calls': 'Calls',
  'status.alarms': 'Alarms active',
  'status.self-test': 'Last self-test',
  'status.page': 'Technician page',
  'status.code': 'Code for the page',
  'status.upgrade': 'Upgrade',
  'status.not-enrolled': 'not enrolled',
  'status.never': 'never',
  'status.pending': '{version} is on trial; confirmed after 10 healthy minutes',
  'status.interrupted': '{name} was interrupted at "{step}"; run it again',
  'status.passed': '{date}: passed',
  'status.failed': '{date}: failed at {points}',
  'status.previous': 'Release before',
  'status.fault': 'Cannot serve',
  'status.waiting': 'Stored, on their way',
  'status.waiting-rows': '{alarm} alarms, {other} others',
  'status.connected': 'connected',
  'status.away': 'not connected; the site works without it',
  'status.root':
    'Enrolment, waiting alarms and the code for the page are shown to root only: sudo carillon status.',
  'status.time': 'Time from',
  'status.time-site': 'the hosts of the site alone; no server answers',
  'status.unknown': 'unknown',

  'selftest.title': 'Self-test of {host}, release {version}, {date}',
  'selftest.sent': 'The control plane has the record.',
  'selftest.not-sent':
    'The control plane did not accept the record ({reason}). The host stores it; run carillon selftest again when the line is up.',
  'selftest.passed': 'All points passed.',
  'selftest.passed-skipped':
    'Nothing failed. {count} points were skipped: they had nothing to test, and show nothing.',
  'selftest.failed': 'Failed: {points}.',
  'test-alarm.done': 'The test alarm was acknowledged after {ms} ms.',
  'test-alarm.failed': 'The test alarm was not acknowledged: {reason}',
  'test-alarm.missing':
    'Name a device of this site and the receiver it calls; the console lists both: carillon test-alarm --device DEVICE --receiver scaip.',
  'test-alarm.no-sip':
    'SIP over UDP is switched off on this host, and the test alarm needs it. Give it a port: carillon configure --sip-udp 0.0.0.0:5060.',
  'test-alarm.no-site':
    'This host is not enrolled, so no device is known here. Enrol it first: carillon enrol CODE.',

  'bundle.not-written':
    '{file} cannot be written ({reason}). Name another place: carillon support-bundle -o FILE.',
  'bundle.done': 'Written to {file} ({size} kB). It holds no secrets and no full numbers.',

  'capture.unnamed': 'No trace and no call is named. Name one: carillon capture --trace ID --out FILE.',
  'capture.no-answer': 'The service does not answer on this host. Check it: carillon status.',
  'capture.off': 'This host captures no messages. Set CARILLON_CAPTURE and start the service again.',
  'capture.refused': 'The service refused the capture (HTTP {status}). Check the trace id.',
  'capture.not-written':
    '{file} cannot be written ({reason}). Name another place: carillon capture --out FILE.',
  'capture.done':
    'Written to {file} ({size} kB). Secrets are replaced; numbers and texts are not: treat it as personal data.',

  'upgrade.done':
    'Release {version} runs. It is confirmed after 10 healthy minutes; until then it is taken back if it fails.',
  'upgrade.same': 'Release {version} runs already.',
  'upgrade.deb': 'This host got its program from a Debian package. Upgrade it with apt.',
  'upgrade.no-file': '{file} cannot be read. Check the path, and that the stick is mounted.',
  'upgrade.unsigned': 'The signature of the release is missing ({file}). Copy both files.',
  'upgrade.bad-signature':
    '{file} is not the published release: {reason} Fetch it again; if that does not help, inform its publisher.',
  'upgrade.no-keys':
    'This build holds no release key, so it can verify no upgrade. Install a released build over it (sh carillon-….run): configuration and data stay.',
  'upgrade.cpu': 'This release is for {cpu}, and this machine is {machine}. Take the other file.',
  'upgrade.older':
    'Release {version} is older than the running {running}. Give --allow-downgrade if that is meant.',
  'upgrade.space': 'Only {free} MB are free under /opt; {least} MB are needed. Free some space there.',
  'upgrade.not-current': 'No release runs here that could be upgraded. Install it: sh carillon-….run.',
  'upgrade.quiet': 'Alarms or calls were still active after {minutes} minutes. Try later, or give --now.',
  'upgrade.replaced': 'The new release did not start; systemd is back at the one before.',
  'upgrade.selftest': 'The new release failed its self-test at: {points}.',
  'upgrade.rolled-back': '{reason} Release {running} runs again.',
  'maintenance.undone': 'A change that was cut is taken back.',
  'maintenance.trial':
    'The trial of the new release continues; its timer was lost with the restart of the machine.',
  'upgrade.cut': 'The upgrade was interrupted before it reported a result. Release {release} runs.',
  'maintenance.nothing': 'The appliance asks for nothing.',
  'maintenance.damaged':
    'The files in {folder} were not a complete release with its signature. They are removed, and nothing was changed. Request the upgrade again.',
  'maintenance.not-told':
    'The control plane could not be notified ({reason}). The journal of this host has the result.',
  'rollback.done': 'Release {version} runs again.',
  'rollback.none': 'There is no earlier release to go back to.',

  'uninstall.told': 'The control plane knows that this host is removed.',
  'uninstall.not-told':
    'The control plane could not be notified ({reason}). Remove the host in the console, or the control plane raises an alarm about it.',
  'uninstall.done': 'Removed. These stay: {kept}. Remove them with carillon uninstall --purge, or by hand.',
  'uninstall.purged': 'Removed, with configuration and data.',
  'uninstall.deb': 'This host got its program from a Debian package. Remove it with apt purge carillon.',

  'network.owner': '{name} is configured by {owner}.',
  'network.one-way': 'Say how {name} gets its address: --address ADDRESS/PREFIX or --dhcp.',
  'network.bad-address': '{address} is not ADDRESS/PREFIX; write for example 192.168.1.10/24.',
  'network.no-address': '{address} is no address; write for example 192.168.1.1.',
  'network.bad-seconds': '--confirm-within takes a whole number of seconds, for example 120.',
  'network.bad-ntp': '{name} is no name of a time server; write for example pool.ntp.org.',
  'network.bad-search': '{name} is no domain; write for example care.example.',
  'network.no-interface': 'The interface {name} does not exist. Choose one of: {names}.',
  'network.no-owner':
    'No program configures {name}, or more than one does ({owners}). Leave it to one of networkd, netplan or NetworkManager first.',
  'network.lose-ssh':
    'You are logged in over {name}; the change ends your login. Give --accept-risk lose-ssh if that is meant.',
  'network.confirm': 'The change is undone in {seconds} s unless it is confirmed. Confirm it?',
  'network.confirmed': 'The change stays.',
  'network.undone': 'The change was undone.',
  'network.untested': 'After the change {what} did not answer.',
  'network.armed': 'The change is undone in {seconds} s unless you run: carillon network confirm.',
  'network.nothing': 'There is nothing to confirm.',
  'network.trust-root':
    'The key is not stored: only root may choose the control plane that it follows. Run sudo carillon network trust.',
  'network.not-enrolled': 'This machine is not enrolled: carillon enrol.',
  'network.trusted': 'Root now accepts network settings from {domain}, signed by its key {keys}.',
  'network.not-trusted':
    'Root does not know the key of the control plane, and nothing was changed. Run on the machine: carillon network trust.',
  'network.trust-damaged':
    'The stored key of the control plane is damaged, and nothing was changed. Run on the machine: carillon network trust.',
  'network.twin-refused':
    'The request was refused, and nothing was changed: {reason}. If the control plane has a new key, run on the machine: carillon network trust.',
  'network.in-force': 'The addresses are there already.',
  'network.adopted': '{name} has the addresses now; the control plane was reached by them.',
  'network.cut': 'The change was interrupted before its confirmation, and was undone.',
  'network.cut-off': 'The control plane was not reached within {seconds} s.',
  'network.no-route':
    'The machine has no default route, so the interface is unknown. Set the addresses on the machine: carillon network set.',
  'network.gateway-outside':
    'The gateway {gateway} does not lie in {addresses}. Nothing was changed; set addresses and gateway on the machine: carillon network set.',
} as const;

export type TextKey = keyof typeof en;
