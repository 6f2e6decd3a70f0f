import type { SelfTestTexts } from './text.ts';

/** Names of the points and what to do about them, in Swedish. */
export const sv: SelfTestTexts = {
  points: {
    sip: 'SIP svarar',
    call: 'Samtal till sig själv',
    rtp: 'Ljud åt båda håll',
    dtmf: 'Siffror åt båda håll',
    codecs: 'Kodekar',
    tts: 'Tal',
    dns: 'Namn (DNS)',
    ntp: 'Klocka (NTP)',
    tls: 'Styrsystem (TLS)',
    mqtt: 'Broker (MQTT)',
    trunk: 'Trunk',
    alarm: 'Provlarm',
    ports: 'Öppna portar',
    'sip-alg': 'Routern rör inte SIP',
    fsync: 'Disk',
    memory: 'Minne',
  },
  codes: {
    notEnrolled: 'inte ansluten',
    notAsked: 'efterfrågades inte (--local)',
    'service.silent':
      'Tjänsten på maskinen svarar inte. Se carillon status, sedan: journalctl -u carillon-appliance -n 50.',
    unexpected: 'Själva testet avbröts. Kör det igen; avbryts det på nytt, skicka ett supportpaket.',

    'sip.off': 'SIP över UDP är avstängt',
    'sip.silent':
      'Enheterna får inte heller något svar. Se om tjänsten är igång (carillon status) och vilken port den har (carillon config show).',
    'call.none': 'inte mätt: samtalet till sig själv kom inte till stånd',
    'call.silent':
      'Tjänsten tar inte emot något samtal, och telefoner får inte heller svar. Se carillon status, starta sedan om tjänsten.',
    'call.refused':
      'Tjänsten avvisar ett samtal. Vid 503 har den ingen mediaport kvar (ett annat program kan hålla dem: ss -ulpn), är överbelastad eller töms: carillon status.',
    'rtp.silent':
      'Samtalet står men ena sidan hör ingenting: inget samtal skulle ha ljud. Se till att inget på maskinen filtrerar UDP på portarna i inställningen rtp_ports.',
    'rtp.engine':
      'Testets ljudmotor kan inte öppnas, och samtal kan sakna ljud. Starta om tjänsten; misslyckas det på nytt, skicka ett supportpaket.',
    'rtp.lost':
      'Tal på maskinen är sent eller hackigt. Se vad mer som körs här (top), och ge en virtuell maskin fast processortid.',
    'dtmf.unheard':
      'Larm i toner skulle inte förstås. Kör testet igen när inget annat arbetar här; misslyckas det på nytt, skicka ett supportpaket.',
    'dtmf.late': 'De hördes vid andra försöket: maskinen var upptagen. Kör testet igen.',
    'codecs.level': 'Samtal med denna kodek skulle bli tysta eller förvrängda. Skicka ett supportpaket.',
    'tts.silent': 'Meddelanden skulle inte läsas upp. Installera paketet espeak-ng och starta om tjänsten.',
    'cloud.none': 'inget styrsystem är angivet',
    'dns.failed':
      'Styrsystemets namn hittas inte. Kontrollera DNS-servern: carillon network show. Platsens larm fungerar ändå.',
    'ntp.unknown': 'ingen tidsserver är känd; ställ in en: timedatectl set-ntp true',
    'ntp.silent': 'Tidsservern svarar inte. Släpp ut UDP-port 123, eller ange en annan server.',
    'ntp.off':
      'Certifikat och larmens tider blir fel med denna klocka. Ställ den: timedatectl set-ntp true; testa sedan igen.',
    'tls.unreachable':
      'Styrsystemets anslutningspunkt nås inte. Släpp ut dess port (i adressen) genom brandväggen.',
    'tls.untrusted':
      'Någon annan svarar, eller så har utfärdaren bytts. Fråga om nätet öppnar förbindelser; annars anslut maskinen på nytt.',
    'tls.expiring':
      'Maskinens certifikat borde ha förnyat sig själv. Sök efter "renew" i loggen och se till att styrsystemet är förbundet.',
    'mqtt.unreachable':
      'Brokern nås inte. Släpp ut dess port (i adressen) genom brandväggen. Platsens larm fungerar ändå.',
    'mqtt.untrusted':
      'Någon annan svarar, eller så har utfärdaren bytts. Fråga om nätet öppnar förbindelser; annars anslut maskinen på nytt.',
    'mqtt.notConnected':
      'Brokern svarar, men tjänsten har ingen session där. Vänta en minut och testa igen; sök sedan efter "management connection" i loggen. Har maskinen klonats?',
    'mqtt.notDelivered':
      'Brokern tar emot det vi säger men lämnar inte tillbaka det: dess åtkomstlista måste låta varje maskin läsa sitt eget up/state (carillon broker check).',

    'trunk.none': 'ingen trunk är angiven',
    'trunk.more': 'Se konsolen: där står varje trunk med sitt läge.',
    'trunk.silent':
      'Ingen svarar där. Kontrollera adress och port i konsolen, och att brandväggen släpper SIP ut och tillbaka.',
    'trunk.address': 'Trunkens adress kan inte användas. Rätta den i konsolen.',
    'trunk.name': 'Trunkens namn hittas inte. Rätta det i konsolen, eller kontrollera DNS-servern.',
    'trunk.tls':
      'Trunkens certifikat är inte betrott eller gäller inte detta namn. Ange dess utfärdare med inställningen trust, eller fråga operatören.',
    'trunk.unreachable':
      'Ingen förbindelse till trunken kan öppnas. Kontrollera adress, port och transport i konsolen, och brandväggen.',
    'trunk.login': 'Operatören avvisar användarnamn eller lösenord. Rätta dem i konsolen.',
    'trunk.noLogin':
      'Operatören vill ha användarnamn och lösenord, och trunken har inga. Ange dem i konsolen.',
    'trunk.refused':
      'Operatören svarar men avvisar frågan. En del avvisar inget annat; ring ett provsamtal, och om det misslyckas, be operatören släppa in maskinens adress.',
    'trunk.unavailable': 'Operatören säger att den inte kan ta emot just nu. Fråga operatören.',
    'trunk.odd': 'Operatören svarar med ett eget fel. Ring ett provsamtal; misslyckas det, fråga operatören.',
    'trunk.notRegistered':
      'Operatören tar inte emot vår registrering: ingen kan ringa in den vägen. Kontrollera användarnamn och lösenord i konsolen.',
    'trunk.registering': 'Vår registrering där pågår. Testa igen om en halv minut.',
    'trunk.oneHost': 'Samtal går via trunkens andra värd. Laga denna innan även den andra faller.',

    'alarm.none': 'ingen larmbrygga anger någon applikation (callbackBaseUrl)',
    'alarm.dropped': 'larmbryggans händelsekarta kastar det',
    'alarm.notTaken':
      'Larmcentralen tar inte emot larm härifrån. Se över targetEndpoint för händelsesändaren i konsolen, brandväggen, och fråga centralen.',
    'alarm.unmarked':
      'inget prov skickades: ingenting skulle säga larmcentralen att det är ett. Fråga centralen och skicka ett larm från en enhet: carillon test-alarm',
    'alarm.byCall':
      'inget prov skickades: larmcentralen nås med ett samtal. Fråga centralen och skicka ett larm från en enhet: carillon test-alarm',
    'alarm.login':
      'Mottagaren avvisar våra uppgifter: larm skulle inte tas emot. Rätta larmbryggans restAuthentication i konsolen.',
    'alarm.refused':
      'Mottagaren svarar men tar inte emot larmet. Fråga den som driver applikationen; larm väntar här så länge och skickas igen.',
    'alarm.unreached':
      'Mottagaren nås inte. Kontrollera callbackBaseUrl i konsolen, DNS-servern och brandväggen; larm väntar här så länge.',
    'alarm.waiting':
      'Mottagaren har felat tidigare eller är långsam, så larmet har inte skickats än. Testa igen om en minut; fråga sedan den som driver applikationen.',
    'alarm.notStored':
      'Larmet gick inte att skriva, och ett sådant larm kvitteras inte. Se om disken är full (df -h) eller skrivskyddad (mount).',

    'ports.shut':
      'Inget lyssnar där. Se om ett annat program håller porten (ss -tlpn) och om tjänsten är igång (carillon status).',
    'alg.noPeer':
      'inte mätt: ingen trunk har svarat och ingen SIP-server utanför är angiven (--sip-peer VÄRD:PORT)',
    'alg.secure': 'inte mätt: trunkarna nås över TLS, som ingen router kan skriva om',
    'alg.hidden':
      'En router på vägen skriver troligen om SIP: andra sidan ser ingen adressöversättning där det måste finnas en. Stäng av dess SIP ALG (SIP helper).',
    'alg.silent':
      'SIP-servern utanför svarar inte. Kontrollera adressen, och att brandväggen släpper ut SIP.',
    'alg.rewrites': 'En router på vägen skriver om SIP. Stäng av dess SIP ALG (SIP helper).',
    'fsync.slow': 'Ett larm kvitteras när det ligger på disken. Använd en SSD, inte ett minneskort.',
    'fsync.missing':
      'Mappen för all data finns inte. Installera maskinen först (carillon install), eller ange mappen med --data.',
    'fsync.failed':
      'Inget kan sparas: larm kvitteras inte. Se om disken är full (df -h) eller skrivskyddad (mount).',
    'memory.low': 'Ge maskinen mer minne, eller stoppa annat som körs här.',
  },
};
