/** Names of the points, in English. */
const points = {
  sip: 'SIP answers',
  call: 'Call to itself',
  rtp: 'Audio both ways',
  dtmf: 'Digits both ways',
  codecs: 'Codecs',
  tts: 'Speech',
  dns: 'Names (DNS)',
  ntp: 'Clock (NTP)',
  tls: 'Control plane (TLS)',
  mqtt: 'Broker (MQTT)',
  trunk: 'Trunk',
  alarm: 'Test alarm',
  ports: 'Open ports',
  'sip-alg': 'Router leaves SIP alone',
  fsync: 'Disk',
  memory: 'Memory',
} as const;

/** The advice about a point, or the reason why there was nothing to test. */
const codes = {
  notEnrolled: 'not enrolled',
  notAsked: 'not asked for (--local)',
  'service.silent':
    'The service on this host does not answer. Look at carillon status, then at: journalctl -u carillon-appliance -n 50.',
  unexpected: 'The test itself broke off. Run it again; if it breaks again, send a support bundle.',

  'sip.off': 'SIP over UDP is switched off',
  'sip.silent':
    'Devices get no answer either. See whether the service runs (carillon status) and which port it has (carillon config show).',
  'call.none': 'not measured: the call to itself did not stand',
  'call.silent':
    'The service takes no call, and telephones get no answer either. Look at carillon status, then restart the service.',
  'call.refused':
    'The service refuses a call. With 503 it has no media port left (another program may hold them: ss -ulpn), is overloaded or is being drained: carillon status.',
  'rtp.silent':
    'The call stands and one side hears nothing: no call would have sound. See that nothing on this machine filters UDP on the ports of the setting rtp_ports.',
  'rtp.engine':
    'The audio engine of the test cannot be opened, and calls may have no sound. Restart the service; if it fails again, send a support bundle.',
  'rtp.lost':
    'Speech on this machine is late or torn. See what else runs here (top), and give a virtual machine fixed processor time.',
  'dtmf.unheard':
    'Alarms in tones would not be understood. Run the test again while nothing else works here; if it fails again, send a support bundle.',
  'dtmf.late': 'They were heard at the second try: the machine was busy. Run the test again.',
  'codecs.level': 'Calls with this codec would be silent or distorted. Send a support bundle.',
  'tts.silent': 'Prompts would not be spoken. Install the package espeak-ng, then restart the service.',
  'cloud.none': 'no control plane is set',
  'dns.failed':
    'The name of the control plane is not found. Check the DNS server: carillon network show. Alarms of this site go on without it.',
  'ntp.unknown': 'no time server is known; set one up: timedatectl set-ntp true',
  'ntp.silent': 'The time server does not answer. Let UDP port 123 out, or name another server.',
  'ntp.off':
    'Certificates and times of alarms go wrong with this clock. Set it: timedatectl set-ntp true; then test again.',
  'tls.unreachable':
    'The edge listener of the control plane is not reached. Let its port (in the address) out through the firewall.',
  'tls.untrusted':
    'Somebody else answers, or the authority changed. Ask whether this network opens connections; if not, enrol again.',
  'tls.expiring':
    'The certificate of this host should have renewed itself. Look for "renew" in the log, and see that the control plane is connected.',
  'mqtt.unreachable':
    'The broker is not reached. Let its port (in the address) out through the firewall. Alarms of this site go on without it.',
  'mqtt.untrusted':
    'Somebody else answers, or the authority changed. Ask whether this network opens connections; if not, enrol again.',
  'mqtt.notConnected':
    'The broker answers, and the service has no session there. Wait a minute and test again; then look for "management connection" in the log. Was this host cloned?',
  'mqtt.notDelivered':
    'The broker takes what we say and does not bring it back: its access list must let each host read its own up/state (carillon broker check).',

  'trunk.none': 'no trunk is configured',
  'trunk.more': 'Look at the console: every trunk is listed there with its state.',
  'trunk.silent':
    'Nobody answers there. Check address and port in the console, and that the firewall lets SIP out and back.',
  'trunk.address': 'The address of this trunk cannot be used. Correct it in the console.',
  'trunk.name': 'The name of this trunk is not found. Correct it in the console, or check the DNS server.',
  'trunk.tls':
    'The certificate of this trunk is not trusted or not for this name. Give its authority with the setting trust, or ask the carrier.',
  'trunk.unreachable':
    'No connection to this trunk can be opened. Check address, port and transport in the console, and the firewall.',
  'trunk.login': 'The carrier refuses user name or password. Correct them in the console.',
  'trunk.noLogin':
    'The carrier wants a user name and a password, and this trunk has none. Enter them in the console.',
  'trunk.refused':
    'The carrier answers and refuses this question. Some refuse nothing else; make a test call, and if that fails, ask the carrier to let the address of this host in.',
  'trunk.unavailable': 'The carrier says that it cannot serve now. Ask the carrier.',
  'trunk.odd':
    'The carrier answers with a fault of its own. Make a test call; if that fails, ask the carrier.',
  'trunk.notRegistered':
    'The carrier does not take our registration: nobody can call in there. Check user name and password in the console.',
  'trunk.registering': 'Our registration there is under way. Test again in half a minute.',
  'trunk.oneHost': 'Calls go by the other host of this trunk. Mend this one before that one fails too.',

  'alarm.none': 'no alarm bridge names an application (callbackBaseUrl)',
  'alarm.dropped': 'the event map of the alarm bridge drops it',
  'alarm.notTaken':
    'The alarm centre does not take alarms from here. Check targetEndpoint of the event sender in the console, the firewall, and ask the centre.',
  'alarm.unmarked':
    'no test was sent: nothing would tell the alarm centre that it is one. Send an alarm of a device after asking the centre: carillon test-alarm',
  'alarm.byCall':
    'no test was sent: the alarm centre is reached by a call. Send an alarm of a device after asking the centre: carillon test-alarm',
  'alarm.login':
    'The receiver refuses our credentials: alarms would not be taken. Correct restAuthentication of the alarm bridge in the console.',
  'alarm.refused':
    'The receiver answers, and does not take the alarm. Ask who runs the application; alarms wait here meanwhile and are sent again.',
  'alarm.unreached':
    'The receiver is not reached. Check callbackBaseUrl in the console, the DNS server and the firewall; alarms wait here meanwhile.',
  'alarm.waiting':
    'The receiver has failed before or is slow, so that the alarm was not sent yet. Test again in a minute; then ask who runs the application.',
  'alarm.notStored':
    'The alarm could not be written, and such an alarm is not acknowledged. See whether the disk is full (df -h) or read-only (mount).',

  'ports.shut':
    'Nothing listens there. See whether another program holds the port (ss -tlpn) and whether the service runs (carillon status).',
  'alg.noPeer':
    'not measured: no trunk has answered, and no SIP server outside is named (--sip-peer HOST:PORT)',
  'alg.secure': 'not measured: the trunks are spoken to over TLS, which no router can rewrite',
  'alg.hidden':
    'A router on the way probably rewrites SIP: the other side sees no address translation where there must be one. Turn its SIP ALG (SIP helper) off.',
  'alg.silent':
    'The SIP server outside does not answer. Check the address, and that the firewall lets SIP out.',
  'alg.rewrites': 'A router on the way rewrites SIP. Turn its SIP ALG (SIP helper) off.',
  'fsync.slow': 'An alarm is acknowledged once it is on the disk. Use an SSD, not a memory card.',
  'fsync.missing':
    'The folder of all state is not there. Install this host first (carillon install), or name the folder with --data.',
  'fsync.failed':
    'Nothing can be stored: alarms are not acknowledged. See whether the disk is full (df -h) or read-only (mount).',
  'memory.low': 'Give the machine more memory, or stop what else runs here.',
} as const;

export const en = { points, codes } as const;

export type SelfTestId = keyof typeof points;
export type SelfTestCode = keyof typeof codes;
