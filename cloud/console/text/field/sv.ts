/** Names, help and units of the fields of forms in Swedish, by the English words of the contracts. */
export const FIELD_WORDS: Readonly<Record<string, string>> = {
  'A frame of a provisioned device whose data names no event is acknowledged and delivered as an unknown event with its raw text, and a serviceAlarm dc09Unreadable is raised once per account and day; false: the frame is refused (DUH), so that the device uses its next receiver. Default true':
    'En ram från en konfigurerad enhet vars data inte nämner någon händelse kvitteras och levereras som en okänd händelse med sin råtext, och serviceAlarm dc09Unreadable kommer en gång per konto och dag; false: ramen avvisas (DUH), så att enheten använder sin nästa mottagare. Utan värde true',
  'A hang-up of the ARC first sends clear-down to the device':
    'När larmcentralen lägger på skickas först clear-down till enheten',
  Accept: 'Antagande',
  Account: 'Konto',
  'Account of the frames; absent: the controllerId of the event':
    'Ramarnas konto; utan värde: händelsens controllerId',
  'Address of the receiver; its form depends on protocol': 'Mottagarens adress; formen beror på protokollet',
  'AES key in hexadecimal digits: 128, 192 or 256 bit':
    'AES-nyckel i hexadecimala siffror: 128, 192 eller 256 bitar',
  'AES key in hexadecimal digits; present: frames are encrypted':
    'AES-nyckel i hexadecimala siffror; med ett värde krypteras ramarna',
  Ahead: 'Före',
  'Alarm bridge': 'Larmmottagare',
  'Alarm event mapper ID': 'Händelsesändare',
  'Alarm event mapper used by this bridge': 'Händelsesändare som mottagaren använder',
  'Alarm events REST endpoint': 'URL för plattformslarm',
  'Alarm from edge': 'Larm från anläggningen',
  'Alarm handling': 'Hantering av larm',
  'Alarm path': 'Sökväg för larm',
  'Alarm protocol': 'Larmprotokoll',
  'Alarm protocol expected for incoming events': 'Larmprotokoll som väntas för inkommande händelser',
  'Alarm protocol expected for incoming events; rb2000: no public description; the profile must be completed':
    'Larmprotokoll som väntas för inkommande händelser; rb2000: ingen offentlig beskrivning; profilen måste kompletteras',
  'Alarms of the service go to callbackBaseUrl plus this path; absent: to the platform alarms':
    'Tjänstens larm går till callbackBaseUrl plus denna sökväg; utan värde: till plattformslarmen',
  'Analogue voice number': 'Nummer för analoga samtal',
  'Appended to callbackBaseUrl': 'Läggs till callbackBaseUrl',
  'ARC disconnect clears call': 'Larmcentralens påläggning avslutar',
  Audio: 'Ljud',
  'Audit recording': 'Inspelning för granskning',
  'Auth type': 'Autentisering',
  'Authentication of callback requests, tried in order':
    'Autentisering av återanrop, prövas i tur och ordning',
  Authorized: 'Behörigheter',
  'Backup default voice destination': 'Reservens taldestination',
  'Backup dest addr': 'Reservens destinationsadress',
  'Backup endpoint': 'Reservcentral',
  'Backup override SIP from': 'Reservens SIP-avsändare',
  'Backup SIP auth password': 'Reservens SIP-lösenord',
  'Backup SIP auth user': 'Reservens SIP-användare',
  'Base URL for a SIP MESSAGE that matches no alarm bridge; the message is posted to /message below it':
    'Bas-URL för ett SIP MESSAGE som inte matchar någon larmmottagare; meddelandet postas till /message under den',
  Behind: 'Efter',
  Body: 'Innehåll',
  'Body instead of the default shape; {{path}} inserts a value':
    'Innehåll i stället för den vanliga formen; {{path}} sätter in ett värde',
  'bs8521: time between data request tones': 'bs8521: tid mellan tonerna för databegäran',
  'Built-in or own profile of the same kind that this one changes':
    'Inbyggd eller egen profil av samma typ som denna ändrar',
  'Callback base URL': 'Bas-URL för återanrop',
  'Callback copies': 'Kopior av återanrop',
  'Callback description': 'Återanropets beskrivning',
  'Callback name': 'Återanropets namn',
  'Callback number in the answer of LACS': 'Nummer för återuppringning i svaret från LACS',
  'Callback timeout': 'Längsta väntan på återanrop',
  'callback: events are posted to this URL': 'callback: händelser postas till denna URL',
  'Callbacks go to this URL plus their path': 'Återanrop går till denna URL plus deras sökväg',
  'Callee DTMF send type': 'DTMF till den uppringda',
  'Caller DTMF send type': 'DTMF till uppringaren',
  'Caller ID': 'Uppringande nummer',
  'Calling number shown to the receiver (crd of SCAIP, P-Asserted-Identity)':
    'Uppringande nummer som visas för mottagaren (crd i SCAIP, P-Asserted-Identity)',
  calls: 'samtal',
  'Calls may be routed to another media service of the platform':
    'Samtal får gå till en annan medietjänst på plattformen',
  'Calls of devices and mappers that name this group leave by this trunk':
    'Samtal från enheter och händelsesändare som nämner gruppen går ut genom denna trunk',
  'Calls to people of emergency lists that ring or are answered at once, on each host; further ones wait until one ends. Hosts of a site do not share the figure: two hosts may call twice as many people at once. Without it 120':
    'Samtal till personer på larmlistor som ringer eller är besvarade samtidigt, på varje värd; fler väntar tills ett slutar. En anläggnings värdar delar inte talet: två värdar kan ringa dubbelt så många samtidigt. Utan värde 120',
  'Codec limit': 'Enda kodek',
  'Codec offered first in voice calls': 'Kodek som erbjuds först i samtal',
  Codecs: 'Kodekar',
  'Codecs offered and accepted, best first': 'Kodekar som erbjuds och tas emot, den bästa först',
  'Codecs offered and accepted, best first. Each party has its own; audio between different codecs is transcoded. A caller that offers none of them gets 488':
    'Kodekar som erbjuds och tas emot, den bästa först. Varje part har sin egen; ljud mellan olika kodekar kodas om. En uppringare som inte erbjuder någon av dem får 488',
  'Command that the service sends when speech is connected; absent or no: none':
    'Kommando som tjänsten skickar när talet kopplas; utan värde eller no: inget',
  Content: 'Innehåll',
  'Control commands enabled': 'Styrkommandon',
  'Controller ID': 'Centralenhets-id',
  'Controller ID pad length': 'Centralenhets-id:ts längd',
  'controllerId is filled with 0 from the left to this length':
    'controllerId fylls på med 0 från vänster till denna längd',
  'credentials: SIP digest; deviceid: SCAIP by its CID; userid: application with a JWT; disabled: no SIP access':
    'credentials: SIP digest; deviceid: SCAIP genom sin CID; userid: applikation med en JWT; disabled: ingen tillgång till SIP',
  'Custom event map': 'Egen händelsekarta',
  'Customer site ID': 'Kundens anläggnings-id',
  'Data request interval': 'Intervall för databegäran',
  'Data request type': 'Typ av databegäran',
  Day: 'Dag',
  'day of the month': 'dag i månaden',
  DC09: 'DC-09',
  'Default emergency destination': 'Larmdestination, om enheten saknar egen',
  'Default heartbeat interval': 'Livsteckens intervall, om enheten saknar eget',
  'Default voice destination': 'Taldestination, om ingen nämns',
  'default: send the default shape': 'default: skicka den vanliga formen',
  'Deliver unreadable': 'Leverera oläsliga',
  Description: 'Beskrivning',
  'Description of the callback': 'Återanropets beskrivning',
  'Dest addr': 'Destinationsadress',
  Destination: 'Destination',
  'Destination for calls to the device': 'Destination för samtal till enheten',
  'Destination match': 'Matchning av destination',
  'Destination of calls of the device instead of the called number; $1 inserts the called number':
    'Destination för enhetens samtal i stället för det uppringda numret; $1 sätter in det uppringda numret',
  'Destination rewrite': 'Omskrivning av destination',
  'Destination when the protocol of the target cannot express the event':
    'Destination när målets protokoll inte kan uttrycka händelsen',
  'Destination when the receiver requests a call and names no number':
    'Destination när mottagaren begär ett samtal utan att nämna ett nummer',
  'Destinations that ring at once': 'Destinationer som ringer samtidigt',
  'Device CLI': 'Enhetens nummer',
  'Device component': 'Enhetens del',
  'Device group, {groupType}-{id}': 'Enhetens grupp, {groupType}-{id}',
  'Device ID': 'Enhets-id',
  'Device ID pad length': 'Enhets-id:ts längd',
  'Device type': 'Enhetstyp',
  'deviceId is filled with 0 from the left to this length':
    'deviceId fylls på med 0 från vänster till denna längd',
  'deviceId is sent as controllerId': 'deviceId skickas som controllerId',
  'Digest algorithm': 'Digest-algoritm',
  'Digest challenge of a credentials device. auto: SHA-256 and MD5 are offered; after one attempt with a wrong or no answer MD5 alone for a day. md5: MD5 alone. sha256: SHA-256 alone, MD5 is refused':
    'Digest-fråga till en enhet med credentials. auto: SHA-256 och MD5 erbjuds; efter ett försök med fel eller inget svar bara MD5 under en dag. md5: bara MD5. sha256: bara SHA-256, MD5 avvisas',
  'Digest HA1 for credentials; absent: a password is generated':
    'Digest HA1 för credentials; utan värde skapas ett lösenord',
  digits: 'siffror',
  'Digits with which this person opens the door: *, PIN, #. Absent: this person opens none':
    'Siffror med vilka personen öppnar dörren: *, PIN, #. Utan värde: personen öppnar ingen',
  Direction: 'Riktning',
  'Direction of the calls of this trunk': 'Riktning för trunkens samtal',
  Domain: 'Domän',
  'Dotted path to literal, list of literals (any), "/RE2/" or null (absent); all must hold':
    'Sökväg med punkter till ett värde, en lista av värden (något av dem), "/RE2/" eller null (saknas); alla måste stämma',
  Drop: 'Kasta',
  'DTMF send type': 'DTMF-format',
  'Emergency call list': 'Larmlista',
  'Emergency calls at once': 'Samtidiga larmsamtal',
  'Emergency calls by this trunk carry the location and facts of the device (RFC 6442, RFC 7852); a host that refuses them gets the call again without them':
    'Larmsamtal genom trunken bär enhetens plats och uppgifter (RFC 6442, RFC 7852); en värd som avvisar dem får samtalet en gång till utan dem',
  'Emergency data': 'Nöduppgifter',
  'Emergency destination': 'Larmdestination',
  'Emergency destination for callEmergencyCenter; overrides that of the bridge':
    'Larmdestination för callEmergencyCenter; gäller i stället för mottagarens',
  'Emergency destination of devices that name none. With neither, an alarm with voice is refused when the application answers callEmergencyCenter':
    'Larmdestination för enheter som inte nämner någon. Saknas båda avvisas ett larm med tal när applikationen svarar callEmergencyCenter',
  'Emergency destination when the application does not answer (emergencyFallback)':
    'Larmdestination när applikationen inte svarar (emergencyFallback)',
  'Emergency fallback': 'Reserv vid larm',
  'Enable destination monitoring': 'Övervaka destinationen',
  'Encryption required': 'Kryptering krävs',
  'Enforce IVR destination': 'Till annan medietjänst',
  'Enforce speak listen': 'Tala och lyssna i tur',
  Entries: 'Poster',
  'error: when newCall has failed; always: without a request to the application':
    'error: när newCall har misslyckats; always: utan att fråga applikationen',
  'Events are posted to this URL': 'Händelser postas till denna URL',
  Extends: 'Bygger på',
  'Fallback alarm protocol': 'Reservprotokoll',
  'Find the device by its deviceCLI and the calling number':
    'Hitta enheten genom dess deviceCLI och det uppringande numret',
  'First day of the month on which the test may begin; a later day follows a missed one':
    'Första dag i månaden då provet får börja; efter ett missat prov följer en senare dag',
  'Force RTP relay': 'Tvinga RTP-relä',
  'Format of tones to a party without its own setting': 'Tonernas format till en part utan egen inställning',
  'Format of tones to the called party': 'Tonernas format till den uppringda parten',
  'Format of tones to the calling party': 'Tonernas format till den uppringande parten',
  'forward: to targetEndpoint; callback: to callbackBaseUrl of the bridge; voiceOnly: only the call; drop: acknowledged and not sent':
    'forward: till targetEndpoint; callback: till mottagarens callbackBaseUrl; voiceOnly: bara samtalet; drop: kvitteras och skickas inte',
  'From domain': 'Avsändardomän',
  'Further request headers': 'Ytterligare huvuden i begäran',
  'Group ID': 'Grupp-id',
  'Group that inbound calls name in the header X-Terminating-Trunk-Group-Id':
    'Grupp som inkommande samtal nämner i huvudet X-Terminating-Trunk-Group-Id',
  h: 'h',
  Ha1: 'HA1',
  Headers: 'Huvuden',
  'Headers sent with each callback; Host and hop-by-hop headers are left out':
    'Huvuden som skickas med varje återanrop; Host och huvuden för enskilda hopp utelämnas',
  'Heartbeat interval': 'Livsteckens intervall',
  'Heartbeat interval; when set, every device of this bridge is supervised':
    'Intervall för livstecken; med ett värde övervakas mottagarens alla enheter',
  'Host part of From; absent: the tenant': 'Värddelen i From; utan värde: kundens domän',
  'host:port of the receiver': 'Mottagarens host:port',
  Hosts: 'Värdar',
  'Hosts for outbound calls, by priority and weight; mandatory unless direction is in':
    'Värdar för utgående samtal, efter prioritet och vikt; måste anges om riktningen inte är in',
  'Hosts with the lowest value are tried first': 'Värdar med det lägsta värdet prövas först',
  Hour: 'Timme',
  hour: 'timme',
  'Hour of the day in which the test begins': 'Timme på dagen då provet börjar',
  'How often the list is called from its first step': 'Hur många gånger listan rings från första steget',
  Invite: 'INVITE',
  'IP allow list': 'Tillåtna IP-adresser',
  Key: 'Nyckel',
  'Key of inbound calls in the header X-Trunk-Key, together with X-Terminating-Trunk-Group-Id':
    'Nyckel för inkommande samtal i huvudet X-Trunk-Key, tillsammans med X-Terminating-Trunk-Group-Id',
  'key: the callee accepts with the key 1, and hears who needs help only then. answer: the answer accepts, and the callee hears the device; evidence of a machine turns it into key':
    'key: den uppringda tar larmet med tangenten 1 och hör först då vem som behöver hjälp. answer: svaret tar larmet, och den uppringda hör enheten; tecken på en maskin gör det till key',
  Kind: 'Typ',
  'Kind of device': 'Typ av enhet',
  'LACS callback': 'LACS-återuppringning',
  Language: 'Språk',
  'Language of the sentences (BCP 47): en, sv, de; another one is spoken in English':
    'Meningarnas språk (BCP 47): en, sv, de; ett annat talas på engelska',
  Line: 'Linje',
  'Line prefix (L); absent: 0': 'Linjeprefix (L); utan värde: 0',
  Location: 'Plats',
  'Longest duration of a session; the service ends a longer one and raises the alarm sessionError maxDuration':
    'Sessionens längsta tid; tjänsten avslutar en längre och ger larmet sessionError maxDuration',
  'Longest duration of an alarm session; the service ends a longer one':
    'Larmsessionens längsta tid; tjänsten avslutar en längre',
  'Longest ringing': 'Längsta ringning',
  'Longest silence before the device counts as offline, 30 s to 25 h':
    'Längsta tystnad innan enheten räknas som frånkopplad, 30 s till 25 h',
  'Longest wait for the answer to a callback': 'Längsta väntan på svaret på ett återanrop',
  'Mac address': 'MAC-adress',
  'MAC address of the associated connect gateway': 'MAC-adress för enhetens gateway',
  'Map device ID to controller ID': 'Enhets-id som centralenhets-id',
  'Mapping rules': 'Händelsekarta',
  'Matched against the user part of From, or the CID of SCAIP; customerSiteId:controllerId:deviceId for alarm units':
    'Jämförs med användardelen i From, eller med CID i SCAIP; customerSiteId:controllerId:deviceId för larmenheter',
  'Max duration': 'Längsta tid',
  'Max session duration': 'Sessionens längsta tid',
  'Message callback base URL': 'Bas-URL för meddelanden',
  ms: 'ms',
  Name: 'Namn',
  'Name given by the customer': 'Namn som kunden ger',
  'Name of the callback': 'Återanropets namn',
  'Name of the profile; a profile with a built-in name replaces the built-in one wherever no profile is named':
    'Profilens namn; en profil med en inbyggd profils namn ersätter den överallt där ingen profil nämns',
  'No call begins after this time; then the alarm is unanswered':
    'Inget samtal börjar efter denna tid; då är larmet obesvarat',
  'No NAT traversal in the SIP server, private media addresses':
    'Ingen NAT-hantering i SIP-servern, privata medieadresser',
  Notes: 'Anteckningar',
  'Number given to devices that can only make gsm or tel calls':
    'Nummer som ges till enheter som bara kan ringa gsm eller tel',
  'Number of characters removed from the front of the called number':
    'Antal tecken som tas bort i början av det uppringda numret',
  'Number or SIP address that is called. It must lead to a device of the tenant or to a trunk; never to an alarm bridge, and never to the device of the alarm':
    'Nummer eller SIP-adress som rings. Den måste leda till en av kundens enheter eller till en trunk; aldrig till en larmmottagare, och aldrig till larmets enhet',
  'Number or SIP URI that is called': 'Nummer eller SIP-URI som rings',
  'Number prefix': 'Nummerprefix',
  'Numbers in the records of sessions that leave a site: whole, their last four characters, or hashed; without it whole':
    'Nummer i poster om sessioner som lämnar en anläggning: hela, deras fyra sista tecken eller hashade; utan värde hela',
  'Once a month each person is called, hears that it is a test, and confirms with the key 1. serviceAlarm callListTestFailed comes when no person confirms. Absent: no test. It counts in the list of a device or an alarm bridge, not in an answer of the application':
    'En gång i månaden rings varje person, hör att det är ett prov och bekräftar med tangenten 1. serviceAlarm callListTestFailed kommer när ingen person bekräftar. Utan värde: inget prov. Det gäller i listan för en enhet eller en larmmottagare, inte i ett svar från applikationen',
  'Only codec of calls to this user agent; a call that does not offer it gets 488. Calls of the user agent are not bound. The platform transcodes between the caller and the codec that the application names.':
    'Enda kodek i samtal till användaragenten; ett samtal som inte erbjuder den får 488. Användaragentens egna samtal är inte bundna. Plattformen kodar om mellan uppringaren och den kodek som applikationen nämner.',
  'Options interval': 'Intervall för OPTIONS',
  Order: 'Ordning',
  'Order of receivers that match: the lowest order wins, then the lowest id':
    'Ordning bland mottagare som matchar: den lägsta vinner, därefter det lägsta id:t',
  'Originating trunk group of calls from the device': 'Utgående trunkgrupp för enhetens samtal',
  Otherwise: 'Annars',
  'Override in alarm event': 'Ersätt i larmhändelsen',
  'Override SIP from': 'Annan SIP-avsändare',
  'Overrides defaultHeartbeatInterval of the bridge; less than 300000 ms counts as 300000 ms':
    'Gäller i stället för mottagarens defaultHeartbeatInterval; mindre än 300000 ms räknas som 300000 ms',
  'Partner URL': 'Partnerns URL',
  Password: 'Lösenord',
  'Password of the authorize operation; mandatory with userid':
    'Lösenord för operationen authorize; måste anges med userid',
  'Password of the digest authentication': 'Lösenord i digest-autentiseringen',
  'Password of the digest authentication at the hosts': 'Lösenord i digest-autentiseringen hos värdarna',
  Path: 'Sökväg',
  Pause: 'Paus',
  'People who are called instead of defaultEmergencyDestination, which must stand beside it. Answers 409 while a host of the tenant cannot call from a list':
    'Personer som rings i stället för defaultEmergencyDestination, som måste stå bredvid. Svaret är 409 så länge en värd hos kunden inte kan ringa från en lista',
  'People who are called instead of emergencyDestination, which must stand beside it; overrides the list of the bridge. Answers 409 while a host of the tenant cannot call from a list':
    'Personer som rings i stället för emergencyDestination, som måste stå bredvid; gäller i stället för mottagarens lista. Svaret är 409 så länge en värd hos kunden inte kan ringa från en lista',
  'Permitted source addresses and CIDR blocks of calls; empty: only with trunkKey':
    'Tillåtna källadresser och CIDR-block för samtal; tomt: bara med trunkKey',
  'Person statements': 'Intyg om personer',
  Pin: 'PIN',
  'Preferred codec': 'Föredragen kodek',
  'Prefix added to the called number after strip': 'Prefix som sätts framför det uppringda numret efteråt',
  'Prefix of the device identity, and a field of newAlarmbridgeEvent':
    'Prefix till enhetens identitet, och ett fält i newAlarmbridgeEvent',
  'Prefix of the numbers that leave by this trunk': 'Prefix för nummer som går ut genom trunken',
  Prepend: 'Sätt framför',
  Priority: 'Prioritet',
  'Probe the target every 60 s (OPTIONS, NULL) and raise the alarms destinationDown and destinationUp':
    'Pröva målet var 60:e sekund (OPTIONS, NULL) och ge larmen destinationDown och destinationUp',
  Protocol: 'Protokoll',
  'Protocol mode': 'Protokolläge',
  'Protocol of a further request when no other protocol has answered':
    'Protokoll för en ytterligare begäran när inget annat protokoll har svarat',
  'Protocol of the device, for bridges with protocol deviceProvisioned':
    'Enhetens protokoll, för mottagare med protokollet deviceProvisioned',
  'Protocol profile': 'Protokollprofil',
  'Protocol profile of the tenant or a built-in one, used instead of the default':
    'Kundens protokollprofil eller en inbyggd, i stället för den vanliga',
  'Protocol that events are sent in': 'Protokoll som händelser skickas i',
  'RE2 expression; this bridge handles calls and messages to a destination that matches':
    'RE2-uttryck; mottagaren hanterar samtal och meddelanden till destinationer som matchar',
  'RE2 expression; this service handles calls to a destination that matches':
    'RE2-uttryck; tjänsten hanterar samtal till destinationer som matchar',
  'RE2 expression; this user agent handles calls to a destination that matches':
    'RE2-uttryck; användaragenten hanterar samtal till destinationer som matchar',
  'RE2 over the SIP destination of INVITE; a match authorizes':
    'RE2 över SIP-destinationen i INVITE; en träff tillåter',
  'RE2 over the user part of From of voice calls; a match is rewritten':
    'RE2 över användardelen i From i samtal; en träff skrivs om',
  Receiver: 'Mottagare',
  'Receiver number (R); absent: left out of the frame': 'Mottagarnummer (R); utan värde: utelämnas ur ramen',
  'Record alarm sessions for audit': 'Spela in larmsessioner för granskning',
  'Record numbers': 'Nummer i poster',
  'Record salt': 'Salt för nummer',
  'refused: hosts take no request of a person who is signed in to the control plane, only tokens of the tenant; without it accepted':
    'refused: värdar tar ingen begäran från en person som är inloggad i kontrollplanet, bara kundens token; utan värde accepted',
  Register: 'Registrering',
  'Register at the hosts as username': 'Registrera hos värdarna som username',
  'REGISTER for the domain is allowed': 'REGISTER för domänen är tillåtet',
  'Replacement for the match of voiceCallSipFromUserMatch; $1 inserts a group, $$ a dollar sign':
    'Ersättning för träffen i voiceCallSipFromUserMatch; $1 sätter in en grupp, $$ ett dollartecken',
  'Replaces audio': 'Ersätter audio',
  'Replaces controllerId': 'Ersätter controllerId',
  'Replaces deviceComponent': 'Ersätter deviceComponent',
  'Replaces deviceId': 'Ersätter deviceId',
  'Replaces deviceType': 'Ersätter deviceType',
  'Replaces location': 'Ersätter location',
  'Replaces priority: 0 lowest to 9 highest': 'Ersätter priority: 0 lägst till 9 högst',
  'Replaces statusCode': 'Ersätter statusCode',
  'Replaces systemConfig': 'Ersätter systemConfig',
  'Request headers': 'Huvuden i begäran',
  'Resolve device from device CLI': 'Hitta enheten genom dess nummer',
  'REST authentication': 'REST-autentisering',
  Retention: 'Lagringstid',
  'Retention of recordings in temporary storage':
    'Hur länge inspelningar finns kvar i det tillfälliga lagret',
  'Ring time': 'Ringtid',
  Rounds: 'Varv',
  rounds: 'varv',
  Rules: 'Regler',
  'Rules in order': 'Regler i ordning',
  s: 's',
  Scope: 'Omfattning',
  'Scope of the token': 'Tokens omfattning',
  Secret: 'Hemlighet',
  'Sent to the receiver in the header X-Trunk-Key': 'Skickas till mottagaren i huvudet X-Trunk-Key',
  'Service data': 'Tjänstedata',
  Set: 'Sätt',
  'Settings that differ from the extended profile: objects, lists, texts, numbers, booleans, null':
    'Inställningar som skiljer sig från profilen den bygger på: objekt, listor, texter, tal, sanningsvärden, null',
  'Share among hosts of one priority; 0: only when no other host is left':
    'Andel bland värdar med samma prioritet; 0: bara när ingen annan värd är kvar',
  'SIA mapping': 'SIA-koder',
  'sia-dcs, adm-cid: default, scaip, p100, or a protocol profile of kind siaMapping':
    'sia-dcs, adm-cid: default, scaip, p100 eller en protokollprofil av typen siaMapping',
  'Signature algorithm': 'Signeringsalgoritm',
  'Signing key: PKCS#8 PEM, or the shared secret of HS256':
    'Signeringsnyckel: PKCS#8 PEM, eller den delade hemligheten för HS256',
  signs: 'tecken',
  'SIP auth password': 'SIP-lösenord',
  'SIP auth user': 'SIP-användare',
  'SIP domain the user may use': 'SIP-domän som användaren får använda',
  'SIP URI of the host': 'Värdens SIP-URI',
  'SIP URI of the receiver': 'Mottagarens SIP-URI',
  SRTP: 'SRTP',
  'standard: one tone of the protocol; combined: tone pair, then STMF':
    'standard: en ton ur protokollet; combined: tonpar, sedan STMF',
  'Status code': 'Statuskod',
  'Stay in the media path after speech is connected; needed for devicecommand':
    'Stanna i mediavägen när talet är kopplat; behövs för devicecommand',
  Steps: 'Steg',
  'Steps follow each other; the entries of one step ring at once':
    'Stegen följer på varandra; posterna i ett steg ringer samtidigt',
  Strip: 'Ta bort siffror',
  Sub: 'Subjekt (sub)',
  'Subject of the token': 'Tokens subjekt',
  'Supervision interval': 'Övervakningsintervall',
  'System config': 'Systemkonfiguration',
  'Target endpoint': 'Mottagande central',
  'Target of events when the first attempt has failed':
    'Mål för händelser när det första försöket har misslyckats',
  'Telephone number that identifies the device in incoming calls':
    'Telefonnummer som pekar ut enheten i inkommande samtal',
  'Terminating trunk group ID': 'Inkommande trunkgrupp',
  'Test call': 'Provsamtal',
  'Text that is hashed with each number; without it the domain':
    'Text som hashas med varje nummer; utan värde domänen',
  'The hosts are behind NAT: audio is sent to the source of their audio, not to the announced address':
    'Värdarna är bakom NAT: ljud skickas till källan för deras ljud, inte till den angivna adressen',
  'The SIP server handles NAT traversal; otherwise the agent is on a public network or behind a trunk that handles it':
    'SIP-servern hanterar NAT; annars är agenten på ett öppet nät eller bakom en trunk som gör det',
  'Time between NULL frames; absent: 60 s with enableDestinationMonitoring, else none':
    'Tid mellan NULL-ramar; utan värde: 60 s med enableDestinationMonitoring, annars inga',
  'Time between OPTIONS to each host; 0: none': 'Tid mellan OPTIONS till varje värd; 0: inga',
  'Time between two rounds': 'Tid mellan två varv',
  'Time window s': 'Tidsfönster, s',
  'Time zone': 'Tidszon',
  'Time zone of day and hour': 'Dagens och timmens tidszon',
  'Tolerance for a clock that is ahead': 'Tolerans för en klocka som går före',
  'Tolerance for a clock that is behind': 'Tolerans för en klocka som går efter',
  'Tone settings': 'Toninställningar',
  'tone, xml and ip: how a protocol is spoken; codes: a code table; siaMapping: events to SIA codes':
    'tone, xml och ip: hur ett protokoll talas; codes: en kodtabell; siaMapping: händelser till SIA-koder',
  Transport: 'Transport',
  'Transport of the frames': 'Ramarnas transport',
  'Transport to hosts whose URI names none': 'Transport till värdar vars URI inte nämner någon',
  'true: a developer with the scope listen may follow masked copies of the callbacks; without it no copy leaves a site':
    'true: en utvecklare med omfattningen listen får följa maskerade kopior av återanrop; utan värde lämnar ingen kopia en anläggning',
  'true: a site posts its own alarms while the cloud is not reachable':
    'true: en anläggning postar sina egna larm medan molnet inte kan nås',
  'true: plain frames of an account with a key are refused; false: handled with a warning':
    'true: okrypterade ramar från ett konto med nyckel avvisas; false: hanteras med en varning',
  'true: send nothing, act as the answer drop': 'true: skicka inget, gör som svaret drop',
  'true: the device calls the number it is programmed with':
    'true: enheten ringer det nummer som den är programmerad med',
  'Trunk group ID': 'Trunkgrupp',
  'Trunk group that calls and messages leave by; also sent in X-Terminating-Trunk-Group-Id':
    'Trunkgrupp som samtal och meddelanden går ut genom; skickas också i X-Terminating-Trunk-Group-Id',
  'Trunk key': 'Trunknyckel',
  'tt92: DTMF only, without STMF': 'tt92: bara DTMF, utan STMF',
  Type: 'Typ',
  'Unknown alarm event voice destination': 'Destination vid okänd händelse',
  URI: 'URI',
  'URL that receives the platform alarms': 'URL som tar emot plattformslarmen',
  'Use device ID as SIP from': 'Enhets-id som SIP-avsändare',
  'Use predefined destination': 'Använd programmerad destination',
  'Use voice bridge': 'Använd talbrygga',
  'Use voice callback destination as ARC SIP from': 'Taldestination som avsändare mot larmcentralen',
  'Use VPN connection': 'Använd VPN-anslutning',
  'User of the digest authentication': 'Användare i digest-autentiseringen',
  'User of the digest authentication at the hosts': 'Användare i digest-autentiseringen hos värdarna',
  'User part of From for this target': 'Användardelen i From för detta mål',
  'User part of From in the call to the receiver is the voice destination of the device':
    'Användardelen i From i samtalet till mottagaren är enhetens taldestination',
  'User part of From is the deviceId': 'Användardelen i From är deviceId',
  'User part of From, or a whole SIP URI': 'Användardelen i From, eller en hel SIP-URI',
  Username: 'Användarnamn',
  'Values that are set in the event before it is sent': 'Värden som sätts i händelsen innan den skickas',
  'Voice bridge': 'Talbrygga',
  'Voice call SIP from user match': 'Matchning av avsändare i samtal',
  'Voice call SIP from user rewrite': 'Omskrivning av avsändare i samtal',
  'Voice call source': 'Samtalets källa',
  'Voice calls into the alarm of a device of authType deviceid. any, the default: a call from another address than the alarm is taken and raises serviceAlarm voiceFromOtherAddress. strict: it is refused. A device with a password proves itself, and its address does not count':
    'Samtal till larmet från en enhet med authType deviceid. any, det vanliga: ett samtal från en annan adress än larmets tas och ger serviceAlarm voiceFromOtherAddress. strict: det avvisas. En enhet med lösenord visar vem den är, och dess adress räknas inte',
  'Voice destination': 'Taldestination',
  Weight: 'Vikt',
  When: 'När',
  'Whether media is encrypted': 'Om media krypteras',
  'Window for the time of encrypted frames': 'Fönster för tiden i krypterade ramar',
};
