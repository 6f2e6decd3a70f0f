/** The things that the operations are about, by the tags of the document: one sentence each. */
export const TAG_TEXT: Readonly<Record<string, string>> = {
  'Alarm bridges':
    'An alarm bridge is a receiver: it takes alarms of one protocol at a destination, and names the application that gets their callbacks.',
  'Alarm event mappers':
    'An alarm event mapper is a sender: it sends alarms on to another alarm receiving centre, in the protocol of that centre.',
  'Alarm queue':
    'The alarm queue holds the alarms that no person has accepted. People who are signed in take them, one person each.',
  'Alarm runtime':
    'These operations act on an alarm session that runs: a command to the device, the end of its call, an event of an application.',
  'API keys':
    'An API key is a public key of a program. The program signs its own tokens with the private key, which never leaves it.',
  'API tokens':
    'An API token is a secret text that opens the API for the rights and the time that it was made with.',
  Audit:
    'The audit log says who changed a thing, and when. Its entries form a chain of hashes, so that none can be removed unseen.',
  'Call recording': 'These operations steer the recordings and streams of a SIPREC session while it runs.',
  'Cloud SIP user agents':
    'A cloud SIP user agent is a telephone that the platform plays for a device or a program without a SIP stack.',
  'Cloud SIP user agent runtime': 'These operations act on a call of a cloud SIP user agent while it runs.',
  Configuration:
    'The configuration of a tenant is everything that it has provisioned. It is read, restored and promoted as one revision.',
  'Current user': 'The person who is signed in: the own profile and tenants.',
  Deliveries: 'A delivery is a callback on its way, or one that was given up.',
  Devices:
    'A device is a unit, a telephone or a panel that the tenant has provisioned, with the way in which it proves itself.',
  Enrolment: 'A host enrols with a claim, and gets its certificate, its keys and its configuration.',
  Hosts: 'A host is one machine of a site that runs the appliance.',
  Listening:
    'A developer listens: copies of the callbacks of a tenant go to a machine of the developer, masked and for some hours.',
  'Logs and usage': 'Log lines of the services of a tenant, and its counts of calls, minutes and alarms.',
  'Media services':
    'A media service takes calls at a destination, and asks an application step by step about the call.',
  'Media service runtime': 'These operations act on the participants of a media session while it runs.',
  'Notification settings': 'The addresses that get the platform alarms of a tenant, by mail and by callback.',
  'Personal data':
    'Data about one person or device: found, exported and erased at the control plane and at every host.',
  Platform: 'The operator of the platform manages tenants and the parts of the control plane here.',
  'Prompt files': 'A prompt file is audio that calls hear. A write gets a revision that each site confirms.',
  'Protocol profiles':
    'A protocol profile says how a protocol is spoken: codes, times, digits. A tenant may change any value.',
  'Recording services':
    'A recording service takes SIPREC sessions and asks an application about their recordings and streams.',
  Records: 'A record says about one alarm, call, message or refused attempt how it went, step by step.',
  Session: 'A session is the sign-in of a person at the console, with or without a second factor.',
  Sites:
    'A site is a place with one or more hosts, with its own address that applications and devices reach.',
  Trunks: 'A trunk joins the platform with an exchange or an operator of telephony.',
  Users: 'A user is a person with a role in a tenant.',
  Callbacks: 'A callback is a request that the platform sends to an application of the tenant.',
};
