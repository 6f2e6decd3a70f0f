/** Where a reader meets a code of a failure. */
export const ERROR_PLACES = {
  api: 'Answers of the control plane',
  operation: 'Operations on alarms, calls and recordings',
  callback: 'Callbacks and their answers',
  host: 'Reports of a host',
  program: 'Commands of the programs',
} as const;
export type ErrorPlace = keyof typeof ERROR_PLACES;

/** The place, the cause, and the remedy. */
type Advice = readonly [place: ErrorPlace, cause: string, remedy: string];

/** Cause and remedy of each code, for a person. A code of the sources that is missing here fails the tests. */
export const ERROR_ADVICE: Readonly<Record<string, Advice>> = {
  addressRefused: [
    'callback',
    'The address of an application is not https, or its port is below 1024 and not 443.',
    'Give the receiver an https address with port 443 or one above 1023.',
  ],
  alarmTaken: [
    'api',
    'Another person has the waiting alarm; the sentence has the name.',
    'Leave the alarm to that person, or take it when it waits again.',
  ],
  altered: [
    'program',
    'The file was changed after it was signed, or another key signed it.',
    'Fetch the file again from its source, and compare the fingerprint of the key.',
  ],
  badTones: [
    'operation',
    '`toneString` holds a sign that no telephone sends, or more than 64.',
    'Send 1 to 64 of `0` to `9`, `A` to `D`, `*` and `#`.',
  ],
  busy: [
    'operation',
    'The host computes one trial on history at a time.',
    'Repeat the request when the other trial has ended; it takes 30 s at most.',
  ],
  cannotEncrypt: [
    'host',
    'The key of the recording service or of DC-09 has a length that AES does not know.',
    'Store a key of 16, 24 or 32 bytes.',
  ],
  captureOff: [
    'operation',
    'The host was told to capture no messages.',
    'Set `CARILLON_CAPTURE` on the host to a number of MB. Earlier calls stay without a capture.',
  ],
  changedMeanwhile: [
    'api',
    'Two requests changed the same credential, and the other one came first.',
    'Read the credential again, and repeat the change.',
  ],
  claim: [
    'program',
    'The token has expired, or was made for another receiver, subject or purpose.',
    'Compare `iat`, `exp` and `aud` with the clock and the name of the verifier.',
  ],
  commandNotSupported: [
    'operation',
    'The protocol of the device has no word for the command, or the device said that it lacks the output.',
    'Look the commands of the protocol up on its page, and choose one that the device has.',
  ],
  configurationWrong: [
    'program',
    'A setting in the environment or in the file has a value that is not allowed.',
    'Correct the setting that the sentence names, and start the program again.',
  ],
  confirmationMissing: [
    'api',
    'The command opens a door, and the person has not confirmed it.',
    'Ask the person, and send `confirmed: true`.',
  ],
  conflict: [
    'api',
    'An object with this name or address exists already.',
    'Choose another name, or change the object that exists with PUT or PATCH.',
  ],
  connectionLost: [
    'callback',
    'The connection to the application ended before the answer was whole.',
    'Look at the log of the application and of the proxy before it. The host repeats the callback.',
  ],
  connectionUnknown: [
    'operation',
    'The session has no connection or conference with this id, or it has ended.',
    'List the connections of the session, and take an id from there.',
  ],
  controlCommandsDisabled: [
    'operation',
    'The receiver does not allow commands and programs at its devices.',
    'Set `controlCommandsEnabled` of the receiver; a program can speak to the people alone meanwhile.',
  ],
  copiesOff: [
    'operation',
    'The tenant lets no copies of its callbacks leave the site.',
    'Switch `callbackCopies` on in the notification settings; an owner or administrator may.',
  ],
  copyDiffers: [
    'program',
    'The rows of the source changed while they were copied, or the target lost some.',
    'Stop every control plane of the source, and start the copy again. The target has kept nothing.',
  ],
  csrfTokenWrong: [
    'api',
    'A request with the cookie of a session lacks the token of that session.',
    'Send the `csrfToken` of GET /session in the header that the sentence names.',
  ],
  damaged: [
    'host',
    'A file, a page of configuration or a bundle was cut short or changed.',
    'Fetch or make it again. A host keeps its last good configuration meanwhile.',
  ],
  defect: [
    'api',
    'The control plane met a fault of its own.',
    'Report the id of the request. Repeat the request once; a change has either happened whole or not at all.',
  ],
  deviceSilent: [
    'operation',
    'The device did not confirm the command in its time.',
    'Repeat the command while the call lasts. A device that stays silent needs a look at its line.',
  ],
  disk: [
    'host',
    'The disk of the host refused a read or a write.',
    'Look at free space and at the state of the disk; alarms go on from memory where they can.',
  ],
  dryRunImpossible: [
    'api',
    'The request acts outside the database at once, and no dry run can take that back.',
    'Send it without `dryRun` when it is to act.',
  ],
  emptyAnswer: [
    'callback',
    'The application answered a callback without a body where an answer is due.',
    'Answer with JSON, `{"action": …}`. The fallback of the receiver decided instead.',
  ],
  forbidden: [
    'api',
    'The role or the scope of the caller does not allow the request.',
    'Ask an owner of the tenant for the role, or take a token with the scope that the sentence names.',
  ],
  foreignAddress: [
    'host',
    'A host was told to send a file to an address that is not the edge listener of its control plane.',
    'Correct the public address of the control plane (`CARILLON_EDGE_URL`).',
  ],
  foreignKey: [
    'program',
    'The database is sealed with another key than the one that was given.',
    'Put the key that the sentence names in place.',
  ],
  foreignManifest: [
    'host',
    'The host was offered a configuration that is made for another host or by a newer control plane.',
    'Upgrade the host, or remove a copy of a data folder that runs twice.',
  ],
  foreignTwin: [
    'host',
    'The host was offered a desired state that is made for another host or by a newer control plane.',
    'Upgrade the host, or remove a copy of a data folder that runs twice.',
  ],
  headerInvalid: [
    'api',
    'A header of `requestHeaders` has no valid name, or is one that the host sets itself.',
    'Take the header out, or rename it.',
  ],
  hostAway: [
    'api',
    'The host that has the answer is not connected.',
    'Repeat the request when the host is online; its page says since when it is away.',
  ],
  hostRefused: [
    'api',
    'The host received the request and refused it, with its reason in the sentence.',
    'Follow the reason; it is that of the host.',
  ],
  hostSilent: [
    'api',
    'The host said that it had sent a file, and nothing came.',
    'Ask again. When it happens twice, look at the upload from the site to the edge address.',
  ],
  hostTooOld: [
    'api',
    'The release of the host does not know the request.',
    'Upgrade the host to the release that the sentence names.',
  ],
  hostUnreachable: [
    'api',
    'The host has the recording and does not send it.',
    'Look at the connection of the host, and ask again.',
  ],
  idempotencyConflict: [
    'operation',
    'The same `Idempotency-Key` came with another body.',
    'Send a new key for each new operation, and the same key for a repetition only.',
  ],
  idempotencyKeyReused: [
    'api',
    'The same `Idempotency-Key` came with another request within 24 h.',
    'Send a new key for each new request, and the same key for a repetition only.',
  ],
  invalid: [
    'api',
    'A field has a value that the schema does not allow; `error.path` names it.',
    'Correct the field. `?dryRun=true` tries the body without changing anything.',
  ],
  keyInvalid: [
    'callback',
    'A credential of `restAuthentication` has no secret, or one that does not fit its type.',
    'Store the secret again: PKCS#8 PEM for signatures, a text for the others.',
  ],
  lastHost: [
    'api',
    'The site would be left without a host that takes alarms.',
    'Enrol another host first, or send what the sentence names to go on anyway.',
  ],
  lastOwner: ['api', 'The tenant would be left without an owner.', 'Make another person an owner first.'],
  late: [
    'api',
    'The host has the request and did not answer in time.',
    'Repeat the request; a busy host answers later.',
  ],
  makerEnds: [
    'api',
    'A token that expires cannot make something that lives longer.',
    'Sign in, or use a token without an end.',
  ],
  makerInUse: [
    'api',
    'The person or key made keys, tokens or invitations that are still in use.',
    'Hand them over with `transferTo`, or remove them too with `revoke=true`.',
  ],
  malformed: [
    'api',
    'The body is no valid JSON or CSV, or is encoded in a form that is not understood.',
    'Correct the place that the sentence names, and send the body again.',
  ],
  mapDefect: [
    'callback',
    'The event map of the receiver failed while it made a body.',
    'Try the map with `explain` on the event of the trace. The event was delivered without the map.',
  ],
  messageRefused: [
    'operation',
    'The receiving centre answered the message with a refusal of its own.',
    'Look the SIP status or the code of the centre up; the trace holds its answer.',
  ],
  noAction: [
    'callback',
    'The answer of the application is JSON without `action`.',
    'Add `action`. The fallback of the receiver decided instead.',
  ],
  noBroker: [
    'program',
    'The control plane uses its embedded broker, and there is nothing to check.',
    'Set `CARILLON_MQTT` when an external broker is to be checked.',
  ],
  noCloud: [
    'host',
    'The host has no control plane: it was never enrolled, or was wiped.',
    'Enrol the host with a claim code.',
  ],
  noEndpoint: [
    'callback',
    'The tenant has removed its `alarmEventsRestEndpoint` while a notification waited.',
    'Set the endpoint again in the notification settings.',
  ],
  noEventSender: [
    'operation',
    'The receiver names no event sender with a target.',
    'Set `alarmEventMapperId` of the receiver to an event sender with a `targetEndpoint`.',
  ],
  noPeer: [
    'operation',
    'The session runs on another host of the site, and no link leads there.',
    'Look at the network between the hosts; port and addresses are on the page of the host.',
  ],
  noReceiver: [
    'operation',
    'No receiver takes the `eventReceiver` of the event that is to be sent.',
    'Name one that a receiver of the tenant matches.',
  ],
  noRoute: [
    'operation',
    'The destination has no address, or its sender is gone.',
    'Name a destination, or repair the sender that the sentence names.',
  ],
  notEmpty: ['program', 'The target database holds rows already.', 'Copy into an empty database.'],
  notEnrolled: [
    'program',
    'The machine has no certificate of a control plane.',
    'Enrol it with a claim code first.',
  ],
  notExpressible: [
    'operation',
    'The protocol of the receiving centre has no form for this account, unit or event.',
    'Correct the field that the sentence names; the page of the protocol has its lengths and codes.',
  ],
  notForwarded: [
    'operation',
    'The other platform did not take the notification.',
    'Look at its answer in the sentence; the control plane repeats it.',
  ],
  notFound: [
    'api',
    'The path or an id in it does not exist, or belongs to another tenant.',
    'Compare the ids with the list; the path with `/openapi.json`.',
  ],
  notJson: [
    'callback',
    'The application answered with a body that is no JSON.',
    'Answer with `content-type: application/json` and one object. The fallback decided instead.',
  ],
  notListening: [
    'callback',
    'The receiver names a listener of a developer, and none runs.',
    'Start `carillon listen --answer`, or give the receiver the address of an application.',
  ],
  notMigrated: [
    'program',
    'The tables of the database are older than the program.',
    'Run `carillon db migrate`.',
  ],
  notModified: ['host', 'The configuration of the host is the newest one.', 'Nothing is to be done.'],
  notSerialisable: [
    'callback',
    'The event map gave a value that JSON cannot hold.',
    'Give numbers, texts, lists and objects only.',
  ],
  notUnderstood: [
    'callback',
    'The answer is none that the protocol of the target knows.',
    'Look at the answer in the trace, and compare it with the contract of the callback.',
  ],
  noVoiceCall: [
    'operation',
    'The device of the session is not on the line.',
    'Wait for the call of the device, or call it with `calldevice`.',
  ],
  olderTwin: [
    'host',
    'A state came that is older than the one the host has.',
    'Nothing is to be done: the newer one stays. A control plane that was restored needs `carillon db mark-restored`.',
  ],
  overloaded: [
    'operation',
    'More events are on their way than the host keeps.',
    'Repeat the operation after the time of `Retry-After`.',
  ],
  ownerAnswerInvalid: [
    'operation',
    'The host that runs the session answered in a form that is not part of the API.',
    'Bring the hosts of the site to the same release.',
  ],
  ownerSilent: [
    'operation',
    'The host that runs the session did not answer in time. It may have acted all the same.',
    'Wait for the callback before a second attempt; send the same `Idempotency-Key` then.',
  ],
  ownerUnreachable: [
    'operation',
    'The host that runs the session cannot be reached from here, or is gone.',
    'Send the operation to that host, or wait until it is online.',
  ],
  participantUnknown: [
    'operation',
    'The session, connection or conference has no participant with this id.',
    'List the participants, and take an id from there.',
  ],
  pathInvalid: [
    'api',
    'A path of an event map is no dotted path of names.',
    'Write it like `alarmEvent.deviceId`.',
  ],
  patternTooComplex: [
    'api',
    'The event map has more patterns than one event may cost.',
    'Join patterns with `|`.',
  ],
  personStatementInvalid: [
    'operation',
    'The host did not believe what the control plane said about the signed-in person.',
    'Compare the clocks of the host and the control plane; a statement lives 60 s.',
  ],
  personStatementsRefused: [
    'operation',
    'The tenant has forbidden that signed-in people ask its hosts.',
    'Send an API token, or change `personStatements` in the notification settings.',
  ],
  preconditionFailed: [
    'api',
    'Somebody changed the resource since it was read.',
    'Read it again, make the change there, and send its ETag as `If-Match`.',
  ],
  pushOff: [
    'api',
    'The installation names no push service, so that it sends no messages to browsers.',
    'Let the operator name push services in `CARILLON_PUSH_SERVICES`.',
  ],
  pushServiceRefused: [
    'api',
    'The push service of the browser is not among those that the operator allows.',
    'Let the operator add the host name of the endpoint to `CARILLON_PUSH_SERVICES`.',
  ],
  reauthenticationRequired: [
    'api',
    'The request is sensitive, and the password was entered more than 5 minutes ago.',
    'Sign in again, and repeat the request.',
  ],
  redirectRefused: [
    'callback',
    'The application answered with a redirect, which is never followed.',
    'Give the receiver the address that the redirect names.',
  ],
  refused: [
    'program',
    'The other side understood the request and refused it.',
    'Look at its answer in the sentence: credentials, rights, or the number.',
  ],
  replyIdInvalid: [
    'operation',
    'The `replyId` has expired, or belongs to another session, tenant or site.',
    'Send the `replyId` of the callback of this session.',
  ],
  rewriteInvalid: [
    'api',
    'A rewrite names a group that its match does not have.',
    'Count the brackets of the match, and correct the number behind `$`.',
  ],
  running: [
    'program',
    'A control plane uses the database that is to be changed.',
    'Stop it first; wait 30 s if it was killed.',
  ],
  secondFactorRequired: [
    'api',
    'The account or the tenant demands a second factor.',
    'Send the code of the authenticator as `code`, or set a second factor up.',
  ],
  secondFactorWrong: [
    'api',
    'The code is wrong, too old, or was used before.',
    'Enter the code that the authenticator shows now, and compare the clock of the telephone.',
  ],
  secretUnknown: [
    'api',
    'A field has the mark that keeps a stored secret, and none is stored.',
    'Send the secret itself.',
  ],
  sessionUnknown: [
    'operation',
    'The session has ended, or runs on another host.',
    'Look the session up in the records; its end stands there.',
  ],
  signature: [
    'program',
    'The signature does not fit the key that is registered.',
    'Compare key, algorithm and the raw bytes of the body: a body that was parsed and written again differs.',
  ],
  signatureInvalid: [
    'host',
    'The configuration is not signed by a key that the host trusts.',
    'Look at the chain of keys on the page of the host. A control plane from a foreign backup signs with another key.',
  ],
  silent: [
    'callback',
    'The listener of a developer did not answer in `callbackTimeout`.',
    'Answer sooner, or raise `callbackTimeout` of the receiver. The fallback decided instead.',
  ],
  storageFailed: [
    'api',
    'The object storage did not answer.',
    'Repeat the request; look at address, region and rights of the storage.',
  ],
  storageFull: [
    'api',
    'The disk of the control plane is full.',
    'Free space there, and repeat the request. Nothing was changed.',
  ],
  storageUnavailable: [
    'api',
    'The database of the control plane cannot be used now.',
    'Repeat the request after `Retry-After`; look at the database when it fails again.',
  ],
  storeFailed: [
    'host',
    'A recording or an event could not be written down.',
    'Look at free space and at the state of the disk or of the object storage.',
  ],
  takerLost: [
    'api',
    'The person does not have the alarm any more: no sign of life came for 15 s, or it was given back.',
    'Take the alarm again, and send a heartbeat every 5 s.',
  ],
  templateInvalid: [
    'api',
    'A template of an event map is not closed, nested too deep, or inserts too much.',
    'Correct the template at the place that the sentence names.',
  ],
  timeout: [
    'callback',
    'The application did not answer in `callbackTimeout`.',
    'Answer first and work afterwards, or raise `callbackTimeout` of the receiver.',
  ],
  tokenShownOnce: [
    'api',
    'A token or link is shown once, when it is made, and this request is a repetition.',
    'Delete it and make another one.',
  ],
  tooLarge: [
    'api',
    'The body, the file or the answer is larger than what is taken.',
    'Send less at once; the sentence names the most.',
  ],
  tooManyRequests: [
    'api',
    'The tenant, the person or the address asked more often than the limit.',
    'Wait as long as `Retry-After` says.',
  ],
  unauthorized: [
    'api',
    'The request carries no token, session or certificate that is valid.',
    'Sign in again, or send `Authorization: Bearer …` with a token that has not ended.',
  ],
  underWay: [
    'program',
    'A change of the signing key was begun and has not ended.',
    'Start the control plane; it ends the change by itself.',
  ],
  unfit: [
    'host',
    'The host could not take a stream of the media.',
    'Look at the log of the host at this time.',
  ],
  unknown: [
    'operation',
    'The id names no participant of this session.',
    'List the participants, and take an id from there.',
  ],
  unknownAction: [
    'callback',
    'The answer of the application has an `action` that this callback does not know.',
    'Answer one of the actions that the sentence names. The fallback decided instead.',
  ],
  unknownOperation: [
    'operation',
    'The operation is none that a signed-in person may ask for.',
    'Choose an operation of the API description.',
  ],
  unknownService: [
    'operation',
    'The host does not know the service that the operation names.',
    'Compare the id with the list, and look whether the host has the newest revision.',
  ],
  unreachable: [
    'program',
    'Nothing answers at the address.',
    'Look at address, port, firewall, and whether the other side runs.',
  ],
  unreadable: [
    'host',
    'A stored object of the host cannot be read.',
    'Look at the disk. The alarm `storageDamaged` names the file when it is one.',
  ],
  unscopedTokenRequired: [
    'api',
    'A token with a scope may not touch people or sign-in names.',
    'Sign in, or use a token without a scope.',
  ],
  unsupportedMediaType: [
    'api',
    'The body has a media type or an encoding that the route does not take.',
    'Send one that the sentence names.',
  ],
};
