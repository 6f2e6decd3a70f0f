import type { TextKey } from './en.codes.ts';

/** The texts for a technician, in Swedish. */
export const sv: Readonly<Record<TextKey, string>> = {
  'check.root.what': 'Kommandon som ändrar värden kräver root; detta är {found}.',
  'check.root.do': 'Kör det igen med sudo.',
  'check.cpu.what': 'Programmet är byggt för {program}, och den här maskinen är {found}.',
  'check.cpu.do': 'Ta filen vars namn slutar på maskinens processor.',
  'check.glibc.what': 'C-biblioteket är {found}; {least} eller nyare behövs.',
  'check.glibc.do': 'Använd Debian 12, Ubuntu 22.04, RHEL 9 eller nyare.',
  'check.systemd.what': 'systemd är {found}; {least} eller nyare måste vara igång.',
  'check.systemd.do': 'Installera på en värd som startas av systemd, inte i en enkel container.',
  'check.disk-program.what': 'Bara {found} är lediga under /opt; {least} behövs.',
  'check.disk-program.do': 'Frigör utrymme där eller gör filsystemet större.',
  'check.disk-state.what': 'Bara {found} är lediga under /var/lib; {least} behövs.',
  'check.disk-state.do': 'Frigör utrymme där eller gör filsystemet större.',
  'check.memory.what': 'Maskinen har {found} minne; {least} behövs.',
  'check.memory.do': 'Ge den mer minne.',
  'check.fsync.what': 'Disken behöver {found} för att säkra en skrivning; larm väntar på det.',
  'check.fsync.do': 'Använd en SSD, inte ett minneskort.',
  'check.port.what': 'Port {port} ({transport}) används av {holder}.',
  'check.port.do': 'Stoppa det programmet, eller välj en annan port med den inställning som nämner porten.',
  'check.noexec.what': 'Inga program får köras i {found}; en annan plats används.',
  'check.noexec.do': 'Inget behöver göras.',
  'check.noexec-all.what': 'Inga program får köras i någon av {found}, och databasen behöver en plats.',
  'check.noexec-all.do': 'Montera en av dem utan noexec.',
  'check.clock.what': 'Klockan går fel eller hålls inte rätt ({found}).',
  'check.clock.do': 'Slå på NTP: timedatectl set-ntp true.',
  'check.sip-alg.what': 'En router på vägen verkar skriva om SIP ({found}).',
  'check.sip-alg.do': 'Stäng av dess SIP ALG (SIP helper), eller nå trunkarna över TLS.',
  'check.sip-alg-unknown.what': 'Om en router skriver om SIP mättes inte: ingen SIP-server utanför är känd.',
  'check.sip-alg-unknown.do': 'Ange en: carillon preflight --sip-peer VÄRD:PORT.',
  'check.sip-alg-silent.what': 'Om en router skriver om SIP mättes inte: {found} svarar inte på SIP.',
  'check.sip-alg-silent.do': 'Ange en server som gör det: carillon preflight --sip-peer VÄRD:PORT.',
  'check.tts.what': 'espeak-ng är inte installerat; meddelanden läses bara upp på engelska.',
  'check.tts.do': 'Installera paketet espeak-ng om andra språk talas här.',
  'check.old-install.what': 'Version {found} är redan installerad.',
  'check.old-install.do': 'Inget behöver göras: installationen upprepas och lagar det som saknas.',
  'check.old-install-deb.what': 'Version {found} är installerad från ett Debianpaket.',
  'check.old-install-deb.do': 'Uppgradera den med apt.',
  'check.dns.what': 'Namnet {name} kan inte slås upp ({found}).',
  'check.dns.do': 'Kontrollera DNS-servern: carillon network show. Installationen fortsätter ändå.',
  'check.cloud-expiring.what': 'Styrsystemets certifikat går ut om {found}.',
  'check.cloud-expiring.do': 'Säg till den som driver styrsystemet.',
  'check.cloud-unreachable.what': 'Styrsystemet kan inte nås ({found}).',
  'check.cloud-unreachable.do':
    'Kontrollera linjen; installationen fortsätter, och värden ansluter när linjen är uppe.',
  'check.cloud-portal.what':
    'En annan server svarar i stället för styrsystemet ({found}), kanske en inloggningssida i det här nätet.',
  'check.cloud-portal.do': 'Be om en linje utan inloggningssida, eller att maskinen släpps igenom.',
  'check.cloud-certificate.what': 'Styrsystemets certifikat är inte betrott ({found}).',
  'check.cloud-certificate.do':
    'Ange dess utfärdare med --trust FIL, eller fråga vilken proxy som öppnar förbindelsen.',
  'check.interface-none.what': 'Inget program konfigurerar gränssnittet {name}.',
  'check.interface-none.do': 'Ge det en ägare med carillon network set.',
  'check.interface-two.what': 'Mer än ett program konfigurerar gränssnittet {name}: {found}.',
  'check.interface-two.do': 'Låt ett av dem göra det.',
  'check.ssh-interface.what': 'Du är inloggad över {found}.',
  'check.ssh-interface.do':
    'Om adressen ändras bryts inloggningen; carillon network vägrar det om inget annat sägs.',
  'check.vip-hosts.what': 'Värdarna som delar adressen {vip} är inte angivna.',
  'check.vip-hosts.do': 'Ange dem, samma text på var och en: --vip-hosts ADRESS=150,ADRESS=100.',
  'check.vip-mixed.what': 'Den delade adressen {vip} och värden {host} är av två slag, IPv4 och IPv6.',
  'check.vip-mixed.do': 'Ange varje värd i --vip-hosts med sin adress av samma slag som --vip.',
  'check.vip-listen.what':
    'Den delade adressen {vip} är IPv6, och där lyssnar tjänsten inte med SIP och HTTPS.',
  'check.vip-listen.do':
    'Låt SIP som enheterna använder, och HTTPS, lyssna på IPv6: --sip-udp "[::]:5060" --appliance-http "[::]:8443". För båda slagen anges båda: "0.0.0.0:5060,[::]:5060".',
  'check.vip-missing.what': 'Den delade adressen {vip} behöver program som inte finns här: {programs}.',
  'check.vip-missing.do': 'Installera dem: apt install {programs}.',
  'check.vip-foreign.what':
    'keepalived har en konfiguration som inte kommer från carillon, så {vip} ställdes inte in.',
  'check.vip-foreign.do': 'Flytta undan /etc/keepalived/keepalived.conf, eller utelämna den delade adressen.',
  'check.vip-not-here.what': 'Ingen av värdarna som delar {vip} är den här maskinen ({hosts}).',
  'check.vip-not-here.do': 'Ta med maskinens adress i --vip-hosts; den måste redan ha den.',
  'check.vip-outside.what': 'Den delade adressen {vip} ligger inte i maskinens nät ({network} på {name}).',
  'check.vip-outside.do': 'Välj en ledig adress i det nätet, med dess prefixlängd.',
  'check.vip-own.what': '{vip} hör redan till en enda maskin ({owner}).',
  'check.vip-own.do': 'Välj en ledig adress i nätet: den delade flyttar mellan värdarna.',
  'check.vip-taken.what': 'En annan maskin på nätet har redan adressen {vip} ({holder}).',
  'check.vip-taken.do': 'Välj en ledig adress, eller ta den från den andra maskinen.',
  'check.time-missing.what': 'Tiden ska hållas av chrony, som inte finns här.',
  'check.time-missing.do':
    'Installera det: apt install chrony. Eller låt maskinen sköta klockan: --time off.',
  'check.time-other.what': 'En annan tjänst ställer maskinens klocka: {other}.',
  'check.time-other.do': 'Stoppa den och starta chrony, eller låt den sköta klockan: --time off.',
  'check.time-folder.what': 'chrony läser inte /etc/chrony/conf.d på den här maskinen.',
  'check.time-folder.do': 'Ta med raden "confdir /etc/chrony/conf.d" i /etc/chrony/chrony.conf.',
  'check.time-foreign.what': '/etc/chrony/conf.d/carillon.conf kommer inte från carillon.',
  'check.time-foreign.do': 'Ge filen ett annat namn, eller låt klockan vara som den är: --time off.',
  'check.time-not-here.what': 'Ingen av värdarna som håller tiden tillsammans är den här maskinen ({hosts}).',
  'check.time-not-here.do': 'Ta med maskinens adress i --time-hosts; den måste redan ha den.',

  'step.slot': 'lägg programmet på sin plats',
  'step.user': 'skapa användaren carillon',
  'step.units': 'skriv systemd-enheterna',
  'step.current': 'gör detta till gällande version',
  'step.folders': 'skapa mapparna',
  'step.configuration': 'skriv konfigurationen',
  'step.service': 'tjänsten',
  'step.ready': 'vänta tills den svarar',
  'step.self-test': 'självtest',
  'step.databases': 'spara en kopia av databaserna',
  'step.quiet': 'vänta tills inget larm och inget samtal pågår',
  'step.guard': 'säkra vägen tillbaka',
  'step.switch': 'växla över',
  'step.restart': 'starta om tjänsten',
  'step.confirm': 'bekräfta',
  'step.goodbye': 'meddela styrsystemet',
  'step.remove-units': 'ta bort enheterna för systemd',
  'step.remove-user': 'ta bort användaren carillon',
  'step.files': 'ta bort filerna',
  'step.network': 'ändra nätverket',
  'step.time': 'tiden',
  'step.vip': 'den delade adressen',
  'step.network-test': 'prova gateway, DNS och styrsystem',

  'state.ok': 'ok',
  'state.warning': 'obs',
  'state.failure': 'FEL',
  'state.skipped': 'hoppat över',

  'preflight.no-check': 'Det finns ingen kontroll {id}. Det finns: {ids}.',

  'plan.title': 'Detta kommer att ske ({name}):',
  'plan.dry': 'Inget ändrades.',
  'plan.ask': 'Fortsätta?',
  'plan.not-asked':
    'Kommandot kan inte be om bekräftelse utan terminal. Ange --yes för att fortsätta, eller --dry-run för att bara titta.',
  'plan.declined': 'Inget ändrades.',
  'plan.done': 'changed={changed}',
  'plan.continued': 'En tidigare {name} avbröts vid "{step}"; den fortsätts.',
  'plan.undone-first': 'En tidigare {name} avbröts vid "{step}"; det den hade ändrat har återställts.',
  'plan.busy': 'Ett annat kommando ({by}) ändrar den här värden. Vänta tills det är klart.',
  'plan.journal-damaged':
    'Noteringarna om den senaste ändringen ({path}) är skadade. Titta på filen, flytta undan den och försök igen.',
  'plan.failed-kept':
    '{step}: {reason} Kör samma kommando igen när det är åtgärdat; det fortsätter där det slutade.',
  'plan.failed-undone': '{step}: {reason} Allt återställdes; det som körde förut kör igen.',

  yes: 'j',
  no: 'n',
  'answer.missing':
    '{flag} saknas, och kommandot kan inte fråga efter det utan terminal. Ange det som flagga, i miljön eller i svarsfilen.',
  'ask.cloud': 'Styrsystemets adress (https://…, tomt: inget ännu)',
  'ask.claim': 'Anslutningskod (tomt: anslut senare)',
  'ask.host_id': 'Värdens namn på sin plats',
  'ask.address': 'Värdens adress mot enheterna',

  'install.done': 'Installerat. Version {version} svarar.',
  'install.deb':
    'Den här värden fick sitt program från ett Debianpaket; bara konfiguration och tjänst ses över.',
  'install.selftest-failed': 'Installerat, men självtestet misslyckades vid: {points}. Se carillon selftest.',
  'service.not-ready':
    'Tjänsten svarade inte inom {seconds} s ({state}). Se: journalctl -u carillon-appliance -n 50.',
  'service.refused': 'Tjänsten godtar inte sin konfiguration: {reason}',
  'service.none': 'carillon är inte installerat på den här värden. Installera först: carillon install.',

  'vip.refused':
    'keepalived godtar inte konfigurationen för den delade adressen: {reason} Se över --vip, --vip-hosts och --vip-id.',
  'vip.here': 'Den här värden har nu den delade adressen {vip}.',
  'vip.elsewhere': 'Den här värden är med om den delade adressen {vip} men har den inte just nu ({state}).',
  'vip.silent':
    'keepalived sade inte inom {seconds} s vem som har den delade adressen. Se: journalctl -u keepalived -n 50.',

  'time.refused': 'chrony godtar inte sin konfiguration: {reason} Se över --time-servers och --time-hosts.',
  'time.up': 'Den här värden frågar efter tiden hos: {sources}.',
  'time.silent': 'chrony svarade inte inom {seconds} s. Se: journalctl -u chrony -n 50.',

  'access.root': '{folder} kan bara läsas av root. Kör igen med sudo.',
  'memory.too-little':
    'Minnesprofilen {profile} kräver en maskin med {needed} MB; den här har {found}. Välj en annan: --memory-profile standard.',
  'enrol.done': 'Ansluten som {host} på plats {site} ({domain}).',
  'enrol.already': 'Den här värden är ansluten som {host} på plats {site} ({domain}).',
  'enrol.waiting':
    'Koden togs emot; {host} väntar på att tas i drift i konsolen. Därefter går den i tjänst av sig själv.',
  'enrol.key': 'Nyckelns fingeravtryck, som konsolen också ska visa: {fingerprint}',
  'enrol.page': 'Dess sida i konsolen: {page}',
  'enrol.refused': 'Styrsystemet avvisade koden: {reason} Be om en ny kod.',
  'enrol.unreachable':
    'Styrsystemet kan inte nås ({reason}). Koden sparas, och värden fortsätter att försöka.',
  'enrol.no-cloud': 'Styrsystemets adress saknas. Ange --cloud https://… eller en anslutningsfil.',
  'enrol.no-claim': 'Anslutningskoden saknas. Skriv den: carillon enrol KOD, eller ange --file FIL.',
  'enrol.code-length':
    'Anslutningskoden är fel: den har {signs} tecken. En kod att skriva har 10, och en kod i QR-kod eller fil har 26. Läs den på nytt i konsolen.',
  'enrol.code-sign':
    'Anslutningskoden är fel: ingen anslutningskod har tecknet {sign}. Läs den på nytt i konsolen.',
  'enrol.bad-file': '{file} är ingen anslutningsfil ({reason}). Hämta den på nytt från konsolen.',
  'enrol.altered-file':
    '{file} har ändrats sedan styrsystemet signerade den ({reason}). Använd den inte; hämta den igen från konsolen.',
  'enrol.other-site':
    'Koden i {file} gäller platsen {site}, och den här värden hör till {own}. Hämta en anslutningsfil för den platsen från konsolen.',
  'enrol.expired-file': 'Koden i {file} gick ut {date}. Hämta en ny från konsolen.',

  'status.release': 'Version',
  'status.service': 'Tjänst',
  'status.enrolment': 'Anslutning',
  'status.cloud': 'Styrsystem',
  'status.calls': 'Samtal',
  'status.alarms': 'Pågående larm',
  'status.self-test': 'Senaste självtest',
  'status.page': 'Teknikersida',
  'status.code': 'Kod till sidan',
  'status.upgrade': 'Uppgradering',
  'status.not-enrolled': 'inte ansluten',
  'status.never': 'aldrig',
  'status.pending': '{version} är på prov; bekräftas efter 10 friska minuter',
  'status.interrupted': '{name} avbröts vid "{step}"; kör den igen',
  'status.passed': '{date}: godkänt',
  'status.failed': '{date}: fel vid {points}',
  'status.previous': 'Föregående version',
  'status.fault': 'Kan inte tjänstgöra',
  'status.waiting': 'Sparade, på väg',
  'status.waiting-rows': '{alarm} larm, {other} övriga',
  'status.connected': 'förbundet',
  'status.away': 'inte förbundet; platsen fortsätter',
  'status.root': 'Anslutning, väntande larm och koden till sidan visas bara för root: sudo carillon status.',
  'status.time': 'Tid från',
  'status.time-site': 'bara platsens värdar; ingen server svarar',
  'status.unknown': 'okänt',

  'selftest.title': 'Självtest av {host}, version {version}, {date}',
  'selftest.sent': 'Styrsystemet har protokollet.',
  'selftest.not-sent':
    'Styrsystemet tog inte emot protokollet ({reason}). Det finns kvar här; kör carillon selftest igen när linjen fungerar.',
  'selftest.passed': 'Alla punkter godkända.',
  'selftest.passed-skipped':
    'Inget misslyckades. {count} punkter hoppades över: där fanns inget att testa, och de visar inget.',
  'selftest.failed': 'Fel: {points}.',
  'test-alarm.done': 'Provlarmet kvitterades efter {ms} ms.',
  'test-alarm.failed': 'Provlarmet kvitterades inte: {reason}',
  'test-alarm.missing':
    'Ange en enhet på platsen och mottagaren den ringer; konsolen visar båda: carillon test-alarm --device ENHET --receiver scaip.',
  'test-alarm.no-sip':
    'SIP över UDP är avstängt på maskinen, och provlarmet går den vägen. Ge den en port: carillon configure --sip-udp 0.0.0.0:5060.',
  'test-alarm.no-site':
    'Maskinen är inte ansluten, så ingen enhet är känd här. Anslut den först: carillon enrol KOD.',

  'bundle.not-written':
    '{file} kan inte skrivas ({reason}). Ange en annan plats: carillon support-bundle -o FIL.',
  'bundle.done': 'Skrivet till {file} ({size} kB). Det innehåller inga hemligheter och inga hela nummer.',

  'capture.unnamed':
    'Inget spår och inget samtal har angetts. Ange ett: carillon capture --trace ID --out FIL.',
  'capture.no-answer': 'Tjänsten svarar inte på den här värden. Kontrollera den: carillon status.',
  'capture.off': 'Den här värden fångar inga meddelanden. Ange CARILLON_CAPTURE och starta om tjänsten.',
  'capture.refused': 'Tjänsten vägrade fångsten (HTTP {status}). Kontrollera spårets id.',
  'capture.not-written':
    '{file} kan inte skrivas ({reason}). Ange en annan plats: carillon capture --out FIL.',
  'capture.done':
    'Skrivet till {file} ({size} kB). Hemligheter är ersatta, nummer och texter är det inte: behandla filen som personuppgifter.',

  'upgrade.done':
    'Version {version} kör. Den bekräftas efter 10 friska minuter; till dess tas den tillbaka om den fallerar.',
  'upgrade.same': 'Version {version} kör redan.',
  'upgrade.deb': 'Den här värden fick sitt program från ett Debianpaket. Uppgradera med apt.',
  'upgrade.no-file': '{file} kan inte läsas. Kontrollera sökvägen, och att minnet är monterat.',
  'upgrade.unsigned': 'Versionens signatur saknas ({file}). Kopiera båda filerna.',
  'upgrade.bad-signature':
    '{file} är inte det som släpptes: {reason} Hämta den igen; hjälper det inte, säg till den som släppte den.',
  'upgrade.no-keys':
    'Det här bygget har ingen släppnyckel och kan därför inte kontrollera någon uppgradering. Installera ett släppt bygge ovanpå (sh carillon-….run): konfiguration och data blir kvar.',
  'upgrade.cpu': 'Den här versionen är för {cpu}, och maskinen är {machine}. Ta den andra filen.',
  'upgrade.older':
    'Version {version} är äldre än {running} som kör. Ange --allow-downgrade om det är meningen.',
  'upgrade.space': 'Bara {free} MB är lediga under /opt; {least} MB behövs. Frigör utrymme där.',
  'upgrade.not-current': 'Här kör ingen version som kan uppgraderas. Installera den: sh carillon-….run.',
  'upgrade.quiet':
    'Larm eller samtal pågick fortfarande efter {minutes} minuter. Försök senare, eller ange --now.',
  'upgrade.replaced': 'Den nya versionen startade inte; systemd har gått tillbaka till den förra.',
  'upgrade.selftest': 'Den nya versionen klarade inte självtestet vid: {points}.',
  'upgrade.rolled-back': '{reason} Version {running} kör igen.',
  'maintenance.undone': 'En ändring som avbröts är återtagen.',
  'maintenance.trial':
    'Den nya versionens provtid fortsätter; dess timer försvann när maskinen startades om.',
  'upgrade.cut': 'Uppgraderingen avbröts innan den rapporterade ett resultat. Version {release} körs.',
  'maintenance.nothing': 'Apparaten ber inte om något.',
  'maintenance.damaged':
    'Filerna i {folder} var ingen fullständig version med sin signatur. De är borttagna och inget har ändrats. Begär uppgraderingen igen.',
  'maintenance.not-told':
    'Styrsystemet kunde inte meddelas ({reason}); det står i den här maskinens journal.',
  'rollback.done': 'Version {version} kör igen.',
  'rollback.none': 'Det finns ingen tidigare version att gå tillbaka till.',

  'uninstall.told': 'Styrsystemet vet att den här enheten tas bort.',
  'uninstall.not-told':
    'Styrsystemet kunde inte meddelas ({reason}). Ta bort enheten i konsolen, annars saknas den.',
  'uninstall.done':
    'Borttaget. Detta är kvar: {kept}. Ta bort det med carillon uninstall --purge, eller för hand.',
  'uninstall.purged': 'Borttaget, med konfiguration och data.',
  'uninstall.deb':
    'Den här värden fick sitt program från ett Debianpaket. Ta bort det med apt purge carillon.',

  'network.owner': '{name} konfigureras av {owner}.',
  'network.one-way': 'Ange hur {name} får sin adress: --address ADRESS/PREFIX eller --dhcp.',
  'network.bad-address': '{address} är inte ADRESS/PREFIX; skriv till exempel 192.168.1.10/24.',
  'network.no-address': '{address} är ingen adress; skriv till exempel 192.168.1.1.',
  'network.bad-seconds': '--confirm-within tar ett helt antal sekunder, till exempel 120.',
  'network.bad-ntp': '{name} är inget namn på en tidsserver; skriv till exempel pool.ntp.org.',
  'network.bad-search': '{name} är ingen domän; skriv till exempel care.example.',
  'network.no-interface': 'Det finns inget gränssnitt {name}. Det finns: {names}.',
  'network.no-owner':
    'Inget program konfigurerar {name}, eller fler än ett ({owners}). Låt först ett av networkd, netplan och NetworkManager göra det.',
  'network.lose-ssh':
    'Du är inloggad över {name}; ändringen bryter inloggningen. Ange --accept-risk lose-ssh om det är meningen.',
  'network.confirm': 'Ändringen återställs om {seconds} s om den inte bekräftas. Bekräfta?',
  'network.confirmed': 'Ändringen behålls.',
  'network.undone': 'Ändringen återställdes.',
  'network.untested': 'Efter ändringen svarade inte {what}.',
  'network.armed': 'Ändringen återställs om {seconds} s om du inte kör: carillon network confirm.',
  'network.nothing': 'Det finns inget att bekräfta.',
  'network.trust-root': 'Bara root säger vems önskemål root följer: sudo carillon network trust.',
  'network.not-enrolled': 'Den här maskinen är inte ansluten: carillon enrol.',
  'network.trusted': 'Root följer nu {domain} när den önskar andra adresser, med nyckeln {keys}.',
  'network.not-trusted':
    'Root känner inte centralens nyckel, och inget ändrades. Kör på maskinen: carillon network trust.',
  'network.trust-damaged':
    'Det som root sparar om styrsystemet är skadat, och inget ändrades. Kör på maskinen: carillon network trust.',
  'network.twin-refused':
    'Önskemålet följdes inte, och inget ändrades: {reason}. Har centralen en ny nyckel, kör på maskinen: carillon network trust.',
  'network.in-force': 'Adresserna finns redan.',
  'network.adopted': '{name} har adresserna nu; centralen nåddes med dem.',
  'network.cut': 'Ändringen avbröts före bekräftelsen och togs tillbaka.',
  'network.cut-off': 'Centralen nåddes inte inom {seconds} s.',
  'network.no-route':
    'Det finns ingen standardrutt, så ingen vet vilket gränssnitt som menas. Ange adresserna på maskinen: carillon network set.',
  'network.gateway-outside':
    'Gatewayen {gateway} ligger inte i {addresses}. Inget ändrades; ange adresser och gateway på maskinen: carillon network set.',
};
