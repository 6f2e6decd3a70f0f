/** Names, help and units of the fields of forms in German, by the English words of the contracts. */
export const FIELD_WORDS: Readonly<Record<string, string>> = {
  'A frame of a provisioned device whose data names no event is acknowledged and delivered as an unknown event with its raw text, and a serviceAlarm dc09Unreadable is raised once per account and day; false: the frame is refused (DUH), so that the device uses its next receiver. Default true':
    'Ein Rahmen eines eingerichteten Geräts, dessen Daten kein Ereignis nennen, wird quittiert und als unbekanntes Ereignis mit seinem Rohtext zugestellt, und serviceAlarm dc09Unreadable kommt einmal je Konto und Tag; false: der Rahmen wird abgelehnt (DUH), sodass das Gerät seinen nächsten Empfänger verwendet. Ohne Angabe true',
  'A hang-up of the ARC first sends clear-down to the device':
    'Legt die Leitstelle auf, erhält das Gerät zuerst clear-down',
  Accept: 'Annahme',
  Account: 'Konto',
  'Account of the frames; absent: the controllerId of the event':
    'Konto der Rahmen; ohne Angabe: die controllerId des Ereignisses',
  'Address of the receiver; its form depends on protocol':
    'Adresse des Empfängers; ihre Form hängt vom Protokoll ab',
  'AES key in hexadecimal digits: 128, 192 or 256 bit':
    'AES-Schlüssel in hexadezimalen Ziffern: 128, 192 oder 256 Bit',
  'AES key in hexadecimal digits; present: frames are encrypted':
    'AES-Schlüssel in hexadezimalen Ziffern; mit Angabe werden Rahmen verschlüsselt',
  Ahead: 'Voraus',
  'Alarm bridge': 'Alarmempfänger',
  'Alarm event mapper ID': 'Ereignissender',
  'Alarm event mapper used by this bridge': 'Ereignissender, den dieser Empfänger verwendet',
  'Alarm events REST endpoint': 'URL der Plattformalarme',
  'Alarm from edge': 'Alarme vom Standort',
  'Alarm handling': 'Behandlung der Alarme',
  'Alarm path': 'Pfad der Alarme',
  'Alarm protocol': 'Alarmprotokoll',
  'Alarm protocol expected for incoming events':
    'Alarmprotokoll, das für eingehende Ereignisse erwartet wird',
  'Alarm protocol expected for incoming events; rb2000: no public description; the profile must be completed':
    'Alarmprotokoll, das für eingehende Ereignisse erwartet wird; rb2000: keine öffentliche Beschreibung; das Profil muss ergänzt werden',
  'Alarms of the service go to callbackBaseUrl plus this path; absent: to the platform alarms':
    'Alarme des Dienstes gehen an callbackBaseUrl und diesen Pfad; ohne Angabe: zu den Plattformalarmen',
  'Analogue voice number': 'Nummer für analoge Anrufe',
  'Appended to callbackBaseUrl': 'Wird an callbackBaseUrl angehängt',
  'ARC disconnect clears call': 'Auflegen der Leitstelle beendet',
  Audio: 'Audio',
  'Audit recording': 'Aufzeichnung zur Prüfung',
  'Auth type': 'Authentifizierung',
  'Authentication of callback requests, tried in order':
    'Authentifizierung der Callbacks, der Reihe nach versucht',
  Authorized: 'Berechtigungen',
  'Backup default voice destination': 'Sprachziel des Ersatzes',
  'Backup dest addr': 'Zieladresse des Ersatzes',
  'Backup endpoint': 'Ersatzsystem',
  'Backup override SIP from': 'SIP-Absender des Ersatzes',
  'Backup SIP auth password': 'SIP-Passwort des Ersatzes',
  'Backup SIP auth user': 'SIP-Benutzer des Ersatzes',
  'Base URL for a SIP MESSAGE that matches no alarm bridge; the message is posted to /message below it':
    'Basis-URL für ein SIP MESSAGE, das zu keinem Alarmempfänger passt; die Nachricht geht an /message darunter',
  Behind: 'Zurück',
  Body: 'Inhalt',
  'Body instead of the default shape; {{path}} inserts a value':
    'Inhalt statt der üblichen Form; {{path}} setzt einen Wert ein',
  'bs8521: time between data request tones': 'bs8521: Zeit zwischen den Tönen der Datenanforderung',
  'Built-in or own profile of the same kind that this one changes':
    'Eingebautes oder eigenes Profil derselben Art, das dieses ändert',
  'Callback base URL': 'Basis-URL der Callbacks',
  'Callback copies': 'Kopien der Callbacks',
  'Callback description': 'Beschreibung des Callbacks',
  'Callback name': 'Name des Callbacks',
  'Callback number in the answer of LACS': 'Rückrufnummer in der Antwort von LACS',
  'Callback timeout': 'Zeitlimit des Callbacks',
  'callback: events are posted to this URL': 'callback: Ereignisse gehen an diese URL',
  'Callbacks go to this URL plus their path': 'Callbacks gehen an diese URL und ihren Pfad',
  'Callee DTMF send type': 'DTMF zum Angerufenen',
  'Caller DTMF send type': 'DTMF zum Anrufer',
  'Caller ID': 'Rufnummer des Anrufers',
  'Calling number shown to the receiver (crd of SCAIP, P-Asserted-Identity)':
    'Rufnummer, die der Empfänger sieht (crd von SCAIP, P-Asserted-Identity)',
  calls: 'Anrufe',
  'Calls may be routed to another media service of the platform':
    'Anrufe dürfen zu einem anderen Mediendienst der Plattform gehen',
  'Calls of devices and mappers that name this group leave by this trunk':
    'Anrufe von Geräten und Ereignissendern, die diese Gruppe nennen, gehen über diesen Trunk hinaus',
  'Calls to people of emergency lists that ring or are answered at once, on each host; further ones wait until one ends. Hosts of a site do not share the figure: two hosts may call twice as many people at once. Without it 120':
    'Anrufe zu Personen von Notruflisten, die zugleich klingeln oder angenommen sind, auf jedem Host; weitere warten, bis einer endet. Hosts eines Standorts teilen die Zahl nicht: Zwei Hosts dürfen doppelt so viele Personen zugleich anrufen. Ohne Angabe 120',
  'Codec limit': 'Einziger Codec',
  'Codec offered first in voice calls': 'Codec, der in Anrufen zuerst angeboten wird',
  Codecs: 'Codecs',
  'Codecs offered and accepted, best first': 'Codecs, die angeboten und angenommen werden, der beste zuerst',
  'Codecs offered and accepted, best first. Each party has its own; audio between different codecs is transcoded. A caller that offers none of them gets 488':
    'Codecs, die angeboten und angenommen werden, der beste zuerst. Jeder Teilnehmer hat seinen eigenen; Audio zwischen verschiedenen Codecs wird umgewandelt. Ein Anrufer, der keinen davon anbietet, erhält 488',
  'Command that the service sends when speech is connected; absent or no: none':
    'Befehl, den der Dienst sendet, wenn die Sprache verbunden ist; ohne Angabe oder no: keiner',
  Content: 'Inhalt',
  'Control commands enabled': 'Steuerbefehle',
  'Controller ID': 'Zentralen-ID',
  'Controller ID pad length': 'Länge der Zentralen-ID',
  'controllerId is filled with 0 from the left to this length':
    'controllerId wird von links mit 0 auf diese Länge gefüllt',
  'credentials: SIP digest; deviceid: SCAIP by its CID; userid: application with a JWT; disabled: no SIP access':
    'credentials: SIP Digest; deviceid: SCAIP über seine CID; userid: Anwendung mit einem JWT; disabled: kein Zugang zu SIP',
  'Custom event map': 'Eigene Ereigniszuordnung',
  'Customer site ID': 'Standort-ID des Kunden',
  'Data request interval': 'Intervall der Datenanforderung',
  'Data request type': 'Art der Datenanforderung',
  Day: 'Tag',
  'day of the month': 'Tag des Monats',
  DC09: 'DC-09',
  'Default emergency destination': 'Standardziel für Notrufe',
  'Default heartbeat interval': 'Standardintervall der Lebenszeichen',
  'Default voice destination': 'Standardziel für Sprache',
  'default: send the default shape': 'default: die übliche Form senden',
  'Deliver unreadable': 'Unlesbare zustellen',
  Description: 'Beschreibung',
  'Description of the callback': 'Beschreibung des Callbacks',
  'Dest addr': 'Zieladresse',
  Destination: 'Ziel',
  'Destination for calls to the device': 'Ziel für Anrufe zum Gerät',
  'Destination match': 'Zielmuster',
  'Destination of calls of the device instead of the called number; $1 inserts the called number':
    'Ziel der Anrufe des Geräts statt der angerufenen Nummer; $1 setzt die angerufene Nummer ein',
  'Destination rewrite': 'Umschreibung des Ziels',
  'Destination when the protocol of the target cannot express the event':
    'Ziel, wenn das Protokoll des Zielsystems das Ereignis nicht ausdrücken kann',
  'Destination when the receiver requests a call and names no number':
    'Ziel, wenn der Empfänger einen Anruf verlangt und keine Nummer nennt',
  'Destinations that ring at once': 'Ziele, die zugleich klingeln',
  'Device CLI': 'Rufnummer des Geräts',
  'Device component': 'Gerätekomponente',
  'Device group, {groupType}-{id}': 'Gerätegruppe, {groupType}-{id}',
  'Device ID': 'Geräte-ID',
  'Device ID pad length': 'Länge der Geräte-ID',
  'Device type': 'Geräteart',
  'deviceId is filled with 0 from the left to this length':
    'deviceId wird von links mit 0 auf diese Länge gefüllt',
  'deviceId is sent as controllerId': 'deviceId wird als controllerId gesendet',
  'Digest algorithm': 'Digest-Algorithmus',
  'Digest challenge of a credentials device. auto: SHA-256 and MD5 are offered; after one attempt with a wrong or no answer MD5 alone for a day. md5: MD5 alone. sha256: SHA-256 alone, MD5 is refused':
    'Digest-Abfrage eines Geräts mit credentials. auto: SHA-256 und MD5 werden angeboten; nach einem Versuch mit falscher oder ohne Antwort einen Tag lang nur MD5. md5: nur MD5. sha256: nur SHA-256, MD5 wird abgelehnt',
  'Digest HA1 for credentials; absent: a password is generated':
    'Digest HA1 für credentials; ohne Angabe wird ein Passwort erzeugt',
  digits: 'Ziffern',
  'Digits with which this person opens the door: *, PIN, #. Absent: this person opens none':
    'Ziffern, mit denen diese Person die Tür öffnet: *, PIN, #. Ohne Angabe: diese Person öffnet keine',
  Direction: 'Richtung',
  'Direction of the calls of this trunk': 'Richtung der Anrufe dieses Trunks',
  Domain: 'Domäne',
  'Dotted path to literal, list of literals (any), "/RE2/" or null (absent); all must hold':
    'Pfad mit Punkten zu einem Wert, einer Liste von Werten (einer davon), "/RE2/" oder null (fehlt); alle müssen zutreffen',
  Drop: 'Verwerfen',
  'DTMF send type': 'DTMF-Format',
  'Emergency call list': 'Notrufliste',
  'Emergency calls at once': 'Gleichzeitige Notrufe',
  'Emergency calls by this trunk carry the location and facts of the device (RFC 6442, RFC 7852); a host that refuses them gets the call again without them':
    'Notrufe über diesen Trunk tragen Ort und Angaben des Geräts (RFC 6442, RFC 7852); ein Host, der sie ablehnt, erhält den Anruf noch einmal ohne sie',
  'Emergency data': 'Notrufdaten',
  'Emergency destination': 'Notrufziel',
  'Emergency destination for callEmergencyCenter; overrides that of the bridge':
    'Notrufziel für callEmergencyCenter; gilt statt dem des Empfängers',
  'Emergency destination of devices that name none. With neither, an alarm with voice is refused when the application answers callEmergencyCenter':
    'Notrufziel der Geräte, die keines nennen. Fehlt beides, wird ein Alarm mit Sprache abgelehnt, wenn die Anwendung callEmergencyCenter antwortet',
  'Emergency destination when the application does not answer (emergencyFallback)':
    'Notrufziel, wenn die Anwendung nicht antwortet (emergencyFallback)',
  'Emergency fallback': 'Ersatz bei Notruf',
  'Enable destination monitoring': 'Ziel überwachen',
  'Encryption required': 'Verschlüsselung erforderlich',
  'Enforce IVR destination': 'Zu anderem Mediendienst',
  'Enforce speak listen': 'Sprechen und Hören erzwingen',
  Entries: 'Einträge',
  'error: when newCall has failed; always: without a request to the application':
    'error: wenn newCall fehlgeschlagen ist; always: ohne Anfrage an die Anwendung',
  'Events are posted to this URL': 'Ereignisse gehen an diese URL',
  Extends: 'Baut auf',
  'Fallback alarm protocol': 'Ersatzprotokoll',
  'Find the device by its deviceCLI and the calling number':
    'Das Gerät an seiner deviceCLI und der Nummer des Anrufers erkennen',
  'First day of the month on which the test may begin; a later day follows a missed one':
    'Erster Tag des Monats, an dem der Test beginnen darf; auf einen verpassten folgt ein späterer Tag',
  'Force RTP relay': 'RTP-Relay erzwingen',
  'Format of tones to a party without its own setting':
    'Format der Töne zu einem Teilnehmer ohne eigene Einstellung',
  'Format of tones to the called party': 'Format der Töne zum Angerufenen',
  'Format of tones to the calling party': 'Format der Töne zum Anrufer',
  'forward: to targetEndpoint; callback: to callbackBaseUrl of the bridge; voiceOnly: only the call; drop: acknowledged and not sent':
    'forward: an targetEndpoint; callback: an callbackBaseUrl des Empfängers; voiceOnly: nur der Anruf; drop: quittiert und nicht gesendet',
  'From domain': 'Absenderdomäne',
  'Further request headers': 'Weitere Kopfzeilen der Anfrage',
  'Group ID': 'Gruppen-ID',
  'Group that inbound calls name in the header X-Terminating-Trunk-Group-Id':
    'Gruppe, die eingehende Anrufe in der Kopfzeile X-Terminating-Trunk-Group-Id nennen',
  h: 'h',
  Ha1: 'HA1',
  Headers: 'Kopfzeilen',
  'Headers sent with each callback; Host and hop-by-hop headers are left out':
    'Kopfzeilen jedes Callbacks; Host und Hop-by-hop-Kopfzeilen fallen weg',
  'Heartbeat interval': 'Intervall der Lebenszeichen',
  'Heartbeat interval; when set, every device of this bridge is supervised':
    'Intervall der Lebenszeichen; mit einem Wert wird jedes Gerät des Empfängers überwacht',
  'Host part of From; absent: the tenant': 'Hostteil von From; ohne Angabe: der Mandant',
  'host:port of the receiver': 'host:port des Empfängers',
  Hosts: 'Hosts',
  'Hosts for outbound calls, by priority and weight; mandatory unless direction is in':
    'Hosts für ausgehende Anrufe, nach Priorität und Gewicht; Pflicht, wenn die Richtung nicht in ist',
  'Hosts with the lowest value are tried first': 'Hosts mit dem niedrigsten Wert werden zuerst versucht',
  Hour: 'Stunde',
  hour: 'Stunde',
  'Hour of the day in which the test begins': 'Stunde des Tages, in der der Test beginnt',
  'How often the list is called from its first step':
    'Wie oft die Liste vom ersten Schritt an angerufen wird',
  Invite: 'INVITE',
  'IP allow list': 'Erlaubte IP-Adressen',
  Key: 'Schlüssel',
  'Key of inbound calls in the header X-Trunk-Key, together with X-Terminating-Trunk-Group-Id':
    'Schlüssel eingehender Anrufe in der Kopfzeile X-Trunk-Key, zusammen mit X-Terminating-Trunk-Group-Id',
  'key: the callee accepts with the key 1, and hears who needs help only then. answer: the answer accepts, and the callee hears the device; evidence of a machine turns it into key':
    'key: der Angerufene nimmt mit der Taste 1 an und hört erst dann, wer Hilfe braucht. answer: das Abheben nimmt an, und der Angerufene hört das Gerät; Anzeichen einer Maschine machen key daraus',
  Kind: 'Art',
  'Kind of device': 'Art des Geräts',
  'LACS callback': 'LACS-Rückruf',
  Language: 'Sprache',
  'Language of the sentences (BCP 47): en, sv, de; another one is spoken in English':
    'Sprache der Sätze (BCP 47): en, sv, de; eine andere wird auf Englisch gesprochen',
  Line: 'Leitung',
  'Line prefix (L); absent: 0': 'Leitungspräfix (L); ohne Angabe: 0',
  Location: 'Ort',
  'Longest duration of a session; the service ends a longer one and raises the alarm sessionError maxDuration':
    'Höchstdauer einer Sitzung; der Dienst beendet eine längere und löst den Alarm sessionError maxDuration aus',
  'Longest duration of an alarm session; the service ends a longer one':
    'Höchstdauer einer Alarmsitzung; der Dienst beendet eine längere',
  'Longest ringing': 'Längstes Klingeln',
  'Longest silence before the device counts as offline, 30 s to 25 h':
    'Längstes Schweigen, bevor das Gerät als offline gilt, 30 s bis 25 h',
  'Longest wait for the answer to a callback': 'Längstes Warten auf die Antwort auf einen Callback',
  'Mac address': 'MAC-Adresse',
  'MAC address of the associated connect gateway': 'MAC-Adresse des zugehörigen Gateways',
  'Map device ID to controller ID': 'Geräte-ID als Zentralen-ID',
  'Mapping rules': 'Zuordnungsregeln',
  'Matched against the user part of From, or the CID of SCAIP; customerSiteId:controllerId:deviceId for alarm units':
    'Wird mit dem Benutzerteil von From oder der CID von SCAIP verglichen; customerSiteId:controllerId:deviceId bei Alarmeinheiten',
  'Max duration': 'Höchstdauer',
  'Max session duration': 'Höchstdauer einer Sitzung',
  'Message callback base URL': 'Basis-URL der Nachrichten',
  ms: 'ms',
  Name: 'Name',
  'Name given by the customer': 'Name, den der Kunde vergibt',
  'Name of the callback': 'Name des Callbacks',
  'Name of the profile; a profile with a built-in name replaces the built-in one wherever no profile is named':
    'Name des Profils; ein Profil mit dem Namen eines eingebauten ersetzt dieses überall, wo kein Profil genannt ist',
  'No call begins after this time; then the alarm is unanswered':
    'Nach dieser Zeit beginnt kein Anruf; dann ist der Alarm nicht beantwortet',
  'No NAT traversal in the SIP server, private media addresses':
    'Keine NAT-Behandlung im SIP-Server, private Medienadressen',
  Notes: 'Notizen',
  'Number given to devices that can only make gsm or tel calls':
    'Nummer für Geräte, die nur gsm oder tel anrufen können',
  'Number of characters removed from the front of the called number':
    'Anzahl der Zeichen, die vorn an der angerufenen Nummer wegfallen',
  'Number or SIP address that is called. It must lead to a device of the tenant or to a trunk; never to an alarm bridge, and never to the device of the alarm':
    'Nummer oder SIP-Adresse, die angerufen wird. Sie muss zu einem Gerät des Mandanten oder zu einem Trunk führen; nie zu einem Alarmempfänger und nie zum Gerät des Alarms',
  'Number or SIP URI that is called': 'Nummer oder SIP-URI, die angerufen wird',
  'Number prefix': 'Rufnummernpräfix',
  'Numbers in the records of sessions that leave a site: whole, their last four characters, or hashed; without it whole':
    'Rufnummern in den Einträgen der Sitzungen, die einen Standort verlassen: ganz, ihre letzten vier Zeichen oder gehasht; ohne Angabe ganz',
  'Once a month each person is called, hears that it is a test, and confirms with the key 1. serviceAlarm callListTestFailed comes when no person confirms. Absent: no test. It counts in the list of a device or an alarm bridge, not in an answer of the application':
    'Einmal im Monat wird jede Person angerufen, hört, dass es ein Test ist, und bestätigt mit der Taste 1. serviceAlarm callListTestFailed kommt, wenn keine Person bestätigt. Ohne Angabe: kein Test. Er gilt in der Liste eines Geräts oder Alarmempfängers, nicht in einer Antwort der Anwendung',
  'Only codec of calls to this user agent; a call that does not offer it gets 488. Calls of the user agent are not bound. The platform transcodes between the caller and the codec that the application names.':
    'Einziger Codec der Anrufe zu diesem User Agent; ein Anruf, der ihn nicht anbietet, erhält 488. Anrufe des User Agents sind nicht gebunden. Die Plattform wandelt zwischen dem Anrufer und dem Codec um, den die Anwendung nennt.',
  'Options interval': 'Intervall der OPTIONS',
  Order: 'Reihenfolge',
  'Order of receivers that match: the lowest order wins, then the lowest id':
    'Reihenfolge der Empfänger, die passen: die niedrigste gewinnt, dann die niedrigste ID',
  'Originating trunk group of calls from the device': 'Ausgehende Trunk-Gruppe der Anrufe des Geräts',
  Otherwise: 'Sonst',
  'Override in alarm event': 'Im Alarmereignis ersetzen',
  'Override SIP from': 'Anderer SIP-Absender',
  'Overrides defaultHeartbeatInterval of the bridge; less than 300000 ms counts as 300000 ms':
    'Gilt statt defaultHeartbeatInterval des Empfängers; weniger als 300000 ms zählt als 300000 ms',
  'Partner URL': 'URL des Partners',
  Password: 'Passwort',
  'Password of the authorize operation; mandatory with userid':
    'Passwort der Operation authorize; Pflicht bei userid',
  'Password of the digest authentication': 'Passwort der Digest-Authentifizierung',
  'Password of the digest authentication at the hosts': 'Passwort der Digest-Authentifizierung bei den Hosts',
  Path: 'Pfad',
  Pause: 'Pause',
  'People who are called instead of defaultEmergencyDestination, which must stand beside it. Answers 409 while a host of the tenant cannot call from a list':
    'Personen, die statt defaultEmergencyDestination angerufen werden, das daneben stehen muss. Die Antwort ist 409, solange ein Host des Mandanten nicht aus einer Liste anrufen kann',
  'People who are called instead of emergencyDestination, which must stand beside it; overrides the list of the bridge. Answers 409 while a host of the tenant cannot call from a list':
    'Personen, die statt emergencyDestination angerufen werden, das daneben stehen muss; gilt statt der Liste des Empfängers. Die Antwort ist 409, solange ein Host des Mandanten nicht aus einer Liste anrufen kann',
  'Permitted source addresses and CIDR blocks of calls; empty: only with trunkKey':
    'Erlaubte Quelladressen und CIDR-Blöcke der Anrufe; leer: nur mit trunkKey',
  'Person statements': 'Personenbestätigungen',
  Pin: 'PIN',
  'Preferred codec': 'Bevorzugter Codec',
  'Prefix added to the called number after strip':
    'Präfix, das der angerufenen Nummer danach vorangestellt wird',
  'Prefix of the device identity, and a field of newAlarmbridgeEvent':
    'Präfix der Geräteidentität und ein Feld von newAlarmbridgeEvent',
  'Prefix of the numbers that leave by this trunk': 'Präfix der Nummern, die über diesen Trunk hinausgehen',
  Prepend: 'Voranstellen',
  Priority: 'Priorität',
  'Probe the target every 60 s (OPTIONS, NULL) and raise the alarms destinationDown and destinationUp':
    'Das Ziel alle 60 s prüfen (OPTIONS, NULL) und die Alarme destinationDown und destinationUp auslösen',
  Protocol: 'Protokoll',
  'Protocol mode': 'Protokollmodus',
  'Protocol of a further request when no other protocol has answered':
    'Protokoll einer weiteren Anfrage, wenn kein anderes Protokoll geantwortet hat',
  'Protocol of the device, for bridges with protocol deviceProvisioned':
    'Protokoll des Geräts, für Empfänger mit dem Protokoll deviceProvisioned',
  'Protocol profile': 'Protokollprofil',
  'Protocol profile of the tenant or a built-in one, used instead of the default':
    'Protokollprofil des Mandanten oder eine eingebaute, statt der üblichen',
  'Protocol that events are sent in': 'Protokoll, in dem Ereignisse gesendet werden',
  'RE2 expression; this bridge handles calls and messages to a destination that matches':
    'RE2-Ausdruck; der Empfänger bearbeitet Anrufe und Nachrichten an Ziele, die passen',
  'RE2 expression; this service handles calls to a destination that matches':
    'RE2-Ausdruck; der Dienst bearbeitet Anrufe an Ziele, die passen',
  'RE2 expression; this user agent handles calls to a destination that matches':
    'RE2-Ausdruck; der User Agent bearbeitet Anrufe an Ziele, die passen',
  'RE2 over the SIP destination of INVITE; a match authorizes':
    'RE2 über das SIP-Ziel von INVITE; ein Treffer erlaubt',
  'RE2 over the user part of From of voice calls; a match is rewritten':
    'RE2 über den Benutzerteil von From in Anrufen; ein Treffer wird umgeschrieben',
  Receiver: 'Empfänger',
  'Receiver number (R); absent: left out of the frame': 'Empfängernummer (R); ohne Angabe: fehlt im Rahmen',
  'Record alarm sessions for audit': 'Alarmsitzungen zur Prüfung aufzeichnen',
  'Record numbers': 'Rufnummern in Einträgen',
  'Record salt': 'Salz der Rufnummern',
  'refused: hosts take no request of a person who is signed in to the control plane, only tokens of the tenant; without it accepted':
    'refused: Hosts nehmen keine Anfrage einer Person an, die in der Control Plane angemeldet ist, nur Tokens des Mandanten; ohne Angabe accepted',
  Register: 'Registrierung',
  'Register at the hosts as username': 'Bei den Hosts als username registrieren',
  'REGISTER for the domain is allowed': 'REGISTER für die Domäne ist erlaubt',
  'Replacement for the match of voiceCallSipFromUserMatch; $1 inserts a group, $$ a dollar sign':
    'Ersatz für den Treffer von voiceCallSipFromUserMatch; $1 setzt eine Gruppe ein, $$ ein Dollarzeichen',
  'Replaces audio': 'Ersetzt audio',
  'Replaces controllerId': 'Ersetzt controllerId',
  'Replaces deviceComponent': 'Ersetzt deviceComponent',
  'Replaces deviceId': 'Ersetzt deviceId',
  'Replaces deviceType': 'Ersetzt deviceType',
  'Replaces location': 'Ersetzt location',
  'Replaces priority: 0 lowest to 9 highest': 'Ersetzt priority: 0 niedrigste bis 9 höchste',
  'Replaces statusCode': 'Ersetzt statusCode',
  'Replaces systemConfig': 'Ersetzt systemConfig',
  'Request headers': 'Kopfzeilen der Anfrage',
  'Resolve device from device CLI': 'Gerät an seiner Rufnummer erkennen',
  'REST authentication': 'REST-Authentifizierung',
  Retention: 'Aufbewahrung',
  'Retention of recordings in temporary storage': 'Aufbewahrung der Aufzeichnungen im Zwischenspeicher',
  'Ring time': 'Klingelzeit',
  Rounds: 'Runden',
  rounds: 'Runden',
  Rules: 'Regeln',
  'Rules in order': 'Regeln der Reihe nach',
  s: 's',
  Scope: 'Umfang',
  'Scope of the token': 'Umfang des Tokens',
  Secret: 'Geheimnis',
  'Sent to the receiver in the header X-Trunk-Key':
    'Wird dem Empfänger in der Kopfzeile X-Trunk-Key gesendet',
  'Service data': 'Dienstdaten',
  Set: 'Setzen',
  'Settings that differ from the extended profile: objects, lists, texts, numbers, booleans, null':
    'Einstellungen, die vom zugrunde liegenden Profil abweichen: Objekte, Listen, Texte, Zahlen, Wahrheitswerte, null',
  'Share among hosts of one priority; 0: only when no other host is left':
    'Anteil unter Hosts einer Priorität; 0: nur wenn kein anderer Host übrig ist',
  'SIA mapping': 'SIA-Codes',
  'sia-dcs, adm-cid: default, scaip, p100, or a protocol profile of kind siaMapping':
    'sia-dcs, adm-cid: default, scaip, p100 oder ein Protokollprofil der Art siaMapping',
  'Signature algorithm': 'Signaturalgorithmus',
  'Signing key: PKCS#8 PEM, or the shared secret of HS256':
    'Signierschlüssel: PKCS#8 PEM oder das gemeinsame Geheimnis von HS256',
  signs: 'Zeichen',
  'SIP auth password': 'SIP-Passwort',
  'SIP auth user': 'SIP-Benutzer',
  'SIP domain the user may use': 'SIP-Domäne, die der Benutzer verwenden darf',
  'SIP URI of the host': 'SIP-URI des Hosts',
  'SIP URI of the receiver': 'SIP-URI des Empfängers',
  SRTP: 'SRTP',
  'standard: one tone of the protocol; combined: tone pair, then STMF':
    'standard: ein Ton des Protokolls; combined: Tonpaar, dann STMF',
  'Status code': 'Statuscode',
  'Stay in the media path after speech is connected; needed for devicecommand':
    'Im Medienweg bleiben, wenn die Sprache verbunden ist; nötig für devicecommand',
  Steps: 'Schritte',
  'Steps follow each other; the entries of one step ring at once':
    'Schritte folgen aufeinander; die Einträge eines Schritts klingeln zugleich',
  Strip: 'Ziffern entfernen',
  Sub: 'Subjekt (sub)',
  'Subject of the token': 'Subjekt des Tokens',
  'Supervision interval': 'Überwachungsintervall',
  'System config': 'Systemkonfiguration',
  'Target endpoint': 'Zielsystem',
  'Target of events when the first attempt has failed':
    'Ziel der Ereignisse, wenn der erste Versuch fehlgeschlagen ist',
  'Telephone number that identifies the device in incoming calls':
    'Telefonnummer, an der das Gerät in eingehenden Anrufen erkannt wird',
  'Terminating trunk group ID': 'Eingehende Trunk-Gruppe',
  'Test call': 'Testanruf',
  'Text that is hashed with each number; without it the domain':
    'Text, der mit jeder Nummer gehasht wird; ohne Angabe die Domäne',
  'The hosts are behind NAT: audio is sent to the source of their audio, not to the announced address':
    'Die Hosts sind hinter NAT: Audio geht an die Quelle ihres Audios, nicht an die angekündigte Adresse',
  'The SIP server handles NAT traversal; otherwise the agent is on a public network or behind a trunk that handles it':
    'Der SIP-Server behandelt NAT; sonst ist der Agent in einem öffentlichen Netz oder hinter einem Trunk, der es tut',
  'Time between NULL frames; absent: 60 s with enableDestinationMonitoring, else none':
    'Zeit zwischen NULL-Rahmen; ohne Angabe: 60 s mit enableDestinationMonitoring, sonst keine',
  'Time between OPTIONS to each host; 0: none': 'Zeit zwischen OPTIONS zu jedem Host; 0: keine',
  'Time between two rounds': 'Zeit zwischen zwei Runden',
  'Time window s': 'Zeitfenster, s',
  'Time zone': 'Zeitzone',
  'Time zone of day and hour': 'Zeitzone von Tag und Stunde',
  'Tolerance for a clock that is ahead': 'Toleranz für eine Uhr, die vorgeht',
  'Tolerance for a clock that is behind': 'Toleranz für eine Uhr, die nachgeht',
  'Tone settings': 'Toneinstellungen',
  'tone, xml and ip: how a protocol is spoken; codes: a code table; siaMapping: events to SIA codes':
    'tone, xml und ip: wie ein Protokoll gesprochen wird; codes: eine Codetabelle; siaMapping: Ereignisse zu SIA-Codes',
  Transport: 'Transport',
  'Transport of the frames': 'Transport der Rahmen',
  'Transport to hosts whose URI names none': 'Transport zu Hosts, deren URI keinen nennt',
  'true: a developer with the scope listen may follow masked copies of the callbacks; without it no copy leaves a site':
    'true: ein Entwickler mit dem Umfang listen darf maskierten Kopien der Callbacks folgen; ohne Angabe verlässt keine Kopie einen Standort',
  'true: a site posts its own alarms while the cloud is not reachable':
    'true: ein Standort sendet seine Alarme selbst, solange die Cloud nicht erreichbar ist',
  'true: plain frames of an account with a key are refused; false: handled with a warning':
    'true: unverschlüsselte Rahmen eines Kontos mit Schlüssel werden abgelehnt; false: mit einer Warnung behandelt',
  'true: send nothing, act as the answer drop': 'true: nichts senden, wie bei der Antwort drop',
  'true: the device calls the number it is programmed with':
    'true: das Gerät ruft die Nummer an, mit der es programmiert ist',
  'Trunk group ID': 'Trunk-Gruppe',
  'Trunk group that calls and messages leave by; also sent in X-Terminating-Trunk-Group-Id':
    'Trunk-Gruppe, über die Anrufe und Nachrichten hinausgehen; auch in X-Terminating-Trunk-Group-Id gesendet',
  'Trunk key': 'Trunk-Schlüssel',
  'tt92: DTMF only, without STMF': 'tt92: nur DTMF, ohne STMF',
  Type: 'Typ',
  'Unknown alarm event voice destination': 'Ziel bei unbekanntem Ereignis',
  URI: 'URI',
  'URL that receives the platform alarms': 'URL, die die Plattformalarme empfängt',
  'Use device ID as SIP from': 'Geräte-ID als SIP-Absender',
  'Use predefined destination': 'Programmiertes Ziel verwenden',
  'Use voice bridge': 'Sprachbrücke verwenden',
  'Use voice callback destination as ARC SIP from': 'Sprachziel als Absender zur Leitstelle',
  'Use VPN connection': 'VPN-Verbindung verwenden',
  'User of the digest authentication': 'Benutzer der Digest-Authentifizierung',
  'User of the digest authentication at the hosts': 'Benutzer der Digest-Authentifizierung bei den Hosts',
  'User part of From for this target': 'Benutzerteil von From für dieses Ziel',
  'User part of From in the call to the receiver is the voice destination of the device':
    'Der Benutzerteil von From im Anruf zum Empfänger ist das Sprachziel des Geräts',
  'User part of From is the deviceId': 'Der Benutzerteil von From ist die deviceId',
  'User part of From, or a whole SIP URI': 'Benutzerteil von From oder eine ganze SIP-URI',
  Username: 'Benutzername',
  'Values that are set in the event before it is sent':
    'Werte, die vor dem Senden in das Ereignis gesetzt werden',
  'Voice bridge': 'Sprachbrücke',
  'Voice call SIP from user match': 'Muster des Absenders in Anrufen',
  'Voice call SIP from user rewrite': 'Umschreibung des Absenders in Anrufen',
  'Voice call source': 'Quelle des Sprachanrufs',
  'Voice calls into the alarm of a device of authType deviceid. any, the default: a call from another address than the alarm is taken and raises serviceAlarm voiceFromOtherAddress. strict: it is refused. A device with a password proves itself, and its address does not count':
    'Anrufe in den Alarm eines Geräts mit authType deviceid. any, das Übliche: ein Anruf von einer anderen Adresse als der des Alarms wird angenommen und löst serviceAlarm voiceFromOtherAddress aus. strict: er wird abgelehnt. Ein Gerät mit Passwort weist sich aus, seine Adresse zählt nicht',
  'Voice destination': 'Sprachziel',
  Weight: 'Gewicht',
  When: 'Wenn',
  'Whether media is encrypted': 'Ob Medien verschlüsselt werden',
  'Window for the time of encrypted frames': 'Fenster für die Zeit verschlüsselter Rahmen',
};
