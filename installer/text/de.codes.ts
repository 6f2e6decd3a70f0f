import type { TextKey } from './en.codes.ts';

/** The texts for a technician, in German. */
export const de: Readonly<Record<TextKey, string>> = {
  'check.root.what': 'Befehle, die diesen Rechner ändern, brauchen root; dies ist {found}.',
  'check.root.do': 'Noch einmal mit sudo aufrufen.',
  'check.cpu.what': 'Das Programm ist für {program} gebaut, und dieser Rechner ist {found}.',
  'check.cpu.do': 'Die Datei nehmen, deren Name auf den Prozessor dieses Rechners endet.',
  'check.glibc.what': 'Die C-Bibliothek ist {found}; {least} oder neuer wird gebraucht.',
  'check.glibc.do': 'Debian 12, Ubuntu 22.04, RHEL 9 oder neuer verwenden.',
  'check.systemd.what': 'systemd ist {found}; {least} oder neuer muss laufen.',
  'check.systemd.do':
    'Auf einem Rechner installieren, den systemd startet, nicht in einem einfachen Container.',
  'check.disk-program.what': 'Unter /opt sind nur {found} frei; {least} werden gebraucht.',
  'check.disk-program.do': 'Dort Platz schaffen oder das Dateisystem vergrößern.',
  'check.disk-state.what': 'Unter /var/lib sind nur {found} frei; {least} werden gebraucht.',
  'check.disk-state.do': 'Dort Platz schaffen oder das Dateisystem vergrößern.',
  'check.memory.what': 'Der Rechner hat {found} Arbeitsspeicher; {least} werden gebraucht.',
  'check.memory.do': 'Mehr Arbeitsspeicher einbauen.',
  'check.fsync.what': 'Die Platte braucht {found}, um etwas sicher zu schreiben; Alarme warten darauf.',
  'check.fsync.do': 'Eine SSD verwenden, keine Speicherkarte.',
  'check.port.what': 'Port {port} ({transport}) gehört {holder}.',
  'check.port.do':
    'Dieses Programm anhalten oder mit der Einstellung, die den Port nennt, einen anderen wählen.',
  'check.noexec.what': 'In {found} darf kein Programm laufen; ein anderer Ort wird benutzt.',
  'check.noexec.do': 'Nichts ist zu tun.',
  'check.noexec-all.what':
    'In keinem von {found} darf ein Programm laufen, und die Datenbank braucht einen Ort.',
  'check.noexec-all.do': 'Einen davon ohne noexec einhängen.',
  'check.clock.what': 'Die Uhr geht falsch oder wird nicht gestellt ({found}).',
  'check.clock.do': 'NTP einschalten: timedatectl set-ntp true.',
  'check.sip-alg.what': 'Ein Router auf dem Weg scheint SIP umzuschreiben ({found}).',
  'check.sip-alg.do': 'Sein SIP ALG (SIP Helper) ausschalten oder mit Trunks über TLS sprechen.',
  'check.sip-alg-unknown.what':
    'Ob ein Router SIP umschreibt, wurde nicht gemessen: Kein SIP-Server außerhalb ist bekannt.',
  'check.sip-alg-unknown.do': 'Einen nennen: carillon preflight --sip-peer HOST:PORT.',
  'check.sip-alg-silent.what':
    'Ob ein Router SIP umschreibt, wurde nicht gemessen: {found} antwortet nicht auf SIP.',
  'check.sip-alg-silent.do': 'Einen Server nennen, der es tut: carillon preflight --sip-peer HOST:PORT.',
  'check.tts.what': 'espeak-ng ist nicht installiert; Ansagen werden nur auf Englisch gesprochen.',
  'check.tts.do': 'Das Paket espeak-ng installieren, wenn hier andere Sprachen gesprochen werden.',
  'check.old-install.what': 'Version {found} ist schon installiert.',
  'check.old-install.do': 'Nichts ist zu tun: die Installation wird wiederholt und ergänzt, was fehlt.',
  'check.old-install-deb.what': 'Version {found} ist aus einem Debian-Paket installiert.',
  'check.old-install-deb.do': 'Mit apt aktualisieren.',
  'check.dns.what': 'Der Name {name} lässt sich nicht auflösen ({found}).',
  'check.dns.do': 'Den DNS-Server prüfen: carillon network show. Die Installation geht trotzdem weiter.',
  'check.cloud-expiring.what': 'Das Zertifikat der Leitstelle endet in {found}.',
  'check.cloud-expiring.do': 'Den Betreiber der Leitstelle benachrichtigen.',
  'check.cloud-unreachable.what': 'Die Leitstelle ist nicht erreichbar ({found}).',
  'check.cloud-unreachable.do':
    'Die Leitung prüfen; die Installation geht weiter, und der Rechner meldet sich an, sobald die Leitung steht.',
  'check.cloud-portal.what':
    'Ein anderer Server antwortet statt der Leitstelle ({found}), vielleicht eine Anmeldeseite dieses Netzes.',
  'check.cloud-portal.do': 'Um eine Leitung ohne Anmeldeseite bitten oder den Rechner freischalten lassen.',
  'check.cloud-certificate.what': 'Dem Zertifikat der Leitstelle wird nicht vertraut ({found}).',
  'check.cloud-certificate.do':
    'Den Aussteller mit --trust DATEI angeben oder fragen, welcher Proxy die Verbindung öffnet.',
  'check.interface-none.what': 'Kein Programm konfiguriert die Schnittstelle {name}.',
  'check.interface-none.do': 'Mit carillon network set einstellen.',
  'check.interface-two.what': 'Mehr als ein Programm konfiguriert die Schnittstelle {name}: {found}.',
  'check.interface-two.do': 'Sie einem davon überlassen.',
  'check.ssh-interface.what': 'Sie sind über {found} angemeldet.',
  'check.ssh-interface.do':
    'Eine andere Adresse beendet die Anmeldung; carillon network lehnt das ab, wenn nichts anderes gesagt wird.',
  'check.vip-hosts.what': 'Die Rechner, die sich die Adresse {vip} teilen, sind nicht angegeben.',
  'check.vip-hosts.do': 'Alle nennen, auf jedem mit demselben Text: --vip-hosts ADRESSE=150,ADRESSE=100.',
  'check.vip-mixed.what':
    'Die geteilte Adresse {vip} und der Rechner {host} sind von zwei Familien, IPv4 und IPv6.',
  'check.vip-mixed.do': 'Jeden Rechner in --vip-hosts mit seiner Adresse der Familie von --vip nennen.',
  'check.vip-listen.what':
    'Die geteilte Adresse {vip} ist IPv6, und dort hört der Dienst nicht mit SIP und HTTPS.',
  'check.vip-listen.do':
    'SIP, das die Melder nutzen, und HTTPS auf IPv6 hören lassen: --sip-udp "[::]:5060" --appliance-http "[::]:8443". Für beide Familien beide nennen: "0.0.0.0:5060,[::]:5060".',
  'check.vip-missing.what': 'Für die geteilte Adresse {vip} fehlen hier Programme: {programs}.',
  'check.vip-missing.do': 'Installieren: apt install {programs}.',
  'check.vip-foreign.what': 'keepalived hat schon eine fremde Konfiguration, {vip} wurde nicht eingerichtet.',
  'check.vip-foreign.do':
    '/etc/keepalived/keepalived.conf beiseitelegen, oder die geteilte Adresse weglassen.',
  'check.vip-not-here.what': 'Keiner der Rechner, die sich {vip} teilen, ist dieser hier ({hosts}).',
  'check.vip-not-here.do': 'Die Adresse dieses Rechners in --vip-hosts nennen; er muss sie schon haben.',
  'check.vip-outside.what':
    'Die geteilte Adresse {vip} liegt nicht im Netz dieses Rechners ({network} an {name}).',
  'check.vip-outside.do': 'Eine freie Adresse dieses Netzes nehmen, mit dessen Präfixlänge.',
  'check.vip-own.what': '{vip} gehört schon einem Rechner allein ({owner}).',
  'check.vip-own.do': 'Eine freie Adresse des Netzes nehmen: Die geteilte wandert zwischen den Rechnern.',
  'check.vip-taken.what': 'Ein anderer Rechner im Netz hat die Adresse {vip} schon ({holder}).',
  'check.vip-taken.do': 'Eine freie Adresse nehmen, oder sie dem anderen Gerät wegnehmen.',
  'check.time-missing.what': 'Die Zeit soll chrony halten, das hier nicht vorhanden ist.',
  'check.time-missing.do': 'Installieren: apt install chrony. Oder die Uhr dem Rechner lassen: --time off.',
  'check.time-other.what': 'Ein anderer Dienst stellt die Uhr dieses Rechners: {other}.',
  'check.time-other.do': 'Ihn anhalten und chrony starten, oder die Uhr ihm lassen: --time off.',
  'check.time-folder.what': 'chrony liest auf diesem Rechner /etc/chrony/conf.d nicht.',
  'check.time-folder.do': 'Die Zeile "confdir /etc/chrony/conf.d" in /etc/chrony/chrony.conf aufnehmen.',
  'check.time-foreign.what': '/etc/chrony/conf.d/carillon.conf ist nicht von carillon.',
  'check.time-foreign.do':
    'Der Datei einen anderen Namen geben, oder die Uhr lassen, wie sie ist: --time off.',
  'check.time-not-here.what': 'Keiner der Rechner, die gemeinsam die Zeit halten, ist dieser hier ({hosts}).',
  'check.time-not-here.do': 'Die Adresse dieses Rechners in --time-hosts nennen; er muss sie schon haben.',

  'step.slot': 'das Programm an seinen Platz legen',
  'step.user': 'den Benutzer carillon anlegen',
  'step.units': 'die Units von systemd schreiben',
  'step.current': 'diese Version zur laufenden machen',
  'step.folders': 'die Ordner anlegen',
  'step.configuration': 'die Konfiguration schreiben',
  'step.service': 'der Dienst',
  'step.ready': 'warten, bis er antwortet',
  'step.self-test': 'Selbsttest',
  'step.databases': 'eine Kopie der Datenbanken aufheben',
  'step.quiet': 'warten, bis kein Alarm und kein Gespräch läuft',
  'step.guard': 'den Rückweg sichern',
  'step.switch': 'umschalten',
  'step.restart': 'den Dienst neu starten',
  'step.confirm': 'bestätigen',
  'step.goodbye': 'die Leitstelle benachrichtigen',
  'step.remove-units': 'die Units von systemd entfernen',
  'step.remove-user': 'den Benutzer carillon entfernen',
  'step.files': 'die Dateien entfernen',
  'step.network': 'das Netz ändern',
  'step.time': 'die Uhrzeit',
  'step.vip': 'die geteilte Adresse',
  'step.network-test': 'Gateway, DNS und Leitstelle prüfen',

  'state.ok': 'ok',
  'state.warning': 'Hinweis',
  'state.failure': 'FEHLER',
  'state.skipped': 'ausgelassen',

  'preflight.no-check': 'Es gibt keine Prüfung {id}. Es gibt: {ids}.',

  'plan.title': 'Das wird geschehen ({name}):',
  'plan.dry': 'Nichts wurde geändert.',
  'plan.ask': 'Weiter?',
  'plan.not-asked':
    'Der Befehl kann ohne Terminal nicht nach einer Bestätigung fragen. Mit --yes geht es weiter, mit --dry-run wird nur nachgesehen.',
  'plan.declined': 'Nichts wurde geändert.',
  'plan.done': 'changed={changed}',
  'plan.continued': 'Ein früheres {name} wurde bei „{step}“ unterbrochen; es wird fortgesetzt.',
  'plan.undone-first':
    'Ein früheres {name} wurde bei „{step}“ unterbrochen; was es geändert hatte, ist zurückgenommen.',
  'plan.busy': 'Ein anderer Befehl ({by}) ändert gerade diesen Rechner. Warten, bis er fertig ist.',
  'plan.journal-damaged':
    'Die Aufzeichnung der letzten Änderung ({path}) ist beschädigt. Ansehen, beiseitelegen und noch einmal versuchen.',
  'plan.failed-kept':
    '{step}: {reason} Denselben Befehl noch einmal geben, wenn das behoben ist; er geht dort weiter, wo er aufhörte.',
  'plan.failed-undone': '{step}: {reason} Alles wurde zurückgenommen; was vorher lief, läuft wieder.',

  yes: 'j',
  no: 'n',
  'answer.missing':
    '{flag} fehlt, und der Befehl kann ohne Terminal nicht danach fragen. Als Option, in der Umgebung oder in der Antwortdatei angeben.',
  'ask.cloud': 'Adresse der Leitstelle (https://…, leer: noch keine)',
  'ask.claim': 'Anmeldecode (leer: später anmelden)',
  'ask.host_id': 'Name dieses Rechners an seinem Standort',
  'ask.address': 'Adresse dieses Rechners zu den Geräten hin',

  'install.done': 'Installiert. Version {version} antwortet.',
  'install.deb':
    'Dieser Rechner hat sein Programm aus einem Debian-Paket; nur Konfiguration und Dienst werden angesehen.',
  'install.selftest-failed':
    'Installiert, aber der Selbsttest scheiterte bei: {points}. Siehe carillon selftest.',
  'service.not-ready':
    'Der Dienst hat innerhalb von {seconds} s nicht geantwortet ({state}). Siehe: journalctl -u carillon-appliance -n 50.',
  'service.refused': 'Der Dienst lehnt seine Konfiguration ab: {reason}',
  'service.none': 'carillon ist auf diesem Rechner nicht installiert. Zuerst installieren: carillon install.',

  'vip.refused':
    'keepalived nimmt die Konfiguration der geteilten Adresse nicht an: {reason} --vip, --vip-hosts und --vip-id ansehen.',
  'vip.here': 'Dieser Rechner hat jetzt die geteilte Adresse {vip}.',
  'vip.elsewhere':
    'Dieser Rechner nimmt an der geteilten Adresse {vip} teil und hat sie gerade nicht ({state}).',
  'vip.silent':
    'keepalived hat nicht innerhalb von {seconds} s gesagt, wer die geteilte Adresse hat. Ansehen: journalctl -u keepalived -n 50.',

  'time.refused':
    'chrony nimmt seine Konfiguration nicht an: {reason} --time-servers und --time-hosts ansehen.',
  'time.up': 'Dieser Rechner fragt nach der Zeit bei: {sources}.',
  'time.silent': 'chrony hat innerhalb von {seconds} s nicht geantwortet. Siehe: journalctl -u chrony -n 50.',

  'access.root': '{folder} kann nur root lesen. Noch einmal mit sudo starten.',
  'memory.too-little':
    'Das Speicherprofil {profile} braucht einen Rechner mit {needed} MB; dieser hat {found}. Ein anderes wählen: --memory-profile standard.',
  'enrol.done': 'Angemeldet als {host} am Standort {site} ({domain}).',
  'enrol.already': 'Dieser Rechner ist angemeldet als {host} am Standort {site} ({domain}).',
  'enrol.waiting':
    'Der Code wurde angenommen; {host} wartet darauf, in der Konsole in Betrieb genommen zu werden. Danach arbeitet er von selbst.',
  'enrol.key': 'Fingerabdruck seines Schlüssels, den auch die Konsole zeigen muss: {fingerprint}',
  'enrol.page': 'Seine Seite in der Konsole: {page}',
  'enrol.refused': 'Die Leitstelle hat den Code abgelehnt: {reason} Um einen neuen Code bitten.',
  'enrol.unreachable':
    'Die Leitstelle ist nicht erreichbar ({reason}). Der Code bleibt erhalten, und der Rechner versucht es weiter.',
  'enrol.no-cloud': 'Die Adresse der Leitstelle fehlt. --cloud https://… oder eine Anmeldedatei angeben.',
  'enrol.no-claim': 'Der Anmeldecode fehlt. Eintippen: carillon enrol CODE, oder --file DATEI angeben.',
  'enrol.code-length':
    'Der Anmeldecode ist falsch: Er hat {signs} Zeichen. Ein Code zum Eintippen hat 10, ein Code in QR-Code oder Datei hat 26. In der Konsole neu ablesen.',
  'enrol.code-sign':
    'Der Anmeldecode ist falsch: Kein Anmeldecode hat das Zeichen {sign}. In der Konsole neu ablesen.',
  'enrol.bad-file': '{file} ist keine Anmeldedatei ({reason}). In der Konsole neu holen.',
  'enrol.altered-file':
    '{file} wurde verändert, seit die Leitstelle sie signiert hat ({reason}). Nicht verwenden; in der Konsole neu holen.',
  'enrol.other-site':
    'Der Code in {file} gilt für den Standort {site}, und dieser Rechner gehört zu {own}. In der Konsole eine Datei dieses Standorts holen.',
  'enrol.expired-file': 'Der Code in {file} galt bis {date}. In der Konsole einen neuen holen.',

  'status.release': 'Version',
  'status.service': 'Dienst',
  'status.enrolment': 'Anmeldung',
  'status.cloud': 'Leitstelle',
  'status.calls': 'Gespräche',
  'status.alarms': 'Laufende Alarme',
  'status.self-test': 'Letzter Selbsttest',
  'status.page': 'Technikerseite',
  'status.code': 'Code für die Seite',
  'status.upgrade': 'Aktualisierung',
  'status.not-enrolled': 'nicht angemeldet',
  'status.never': 'nie',
  'status.pending': '{version} ist auf Probe; bestätigt nach 10 gesunden Minuten',
  'status.interrupted': '{name} wurde bei „{step}“ unterbrochen; noch einmal aufrufen',
  'status.passed': '{date}: bestanden',
  'status.failed': '{date}: gescheitert bei {points}',
  'status.previous': 'Version davor',
  'status.fault': 'Kann nicht dienen',
  'status.waiting': 'Gespeichert, unterwegs',
  'status.waiting-rows': '{alarm} Alarme, {other} andere',
  'status.connected': 'verbunden',
  'status.away': 'nicht verbunden; der Standort arbeitet weiter',
  'status.root':
    'Zuordnung, wartende Alarme und der Code der Seite werden nur root gezeigt: sudo carillon status.',
  'status.time': 'Zeit von',
  'status.time-site': 'den Rechnern des Standorts allein; kein Server antwortet',
  'status.unknown': 'unbekannt',

  'selftest.title': 'Selbsttest von {host}, Version {version}, {date}',
  'selftest.sent': 'Die Leitstelle hat das Protokoll.',
  'selftest.not-sent':
    'Die Leitstelle hat das Protokoll nicht angenommen ({reason}). Es liegt hier; carillon selftest wiederholen, wenn die Leitung steht.',
  'selftest.passed': 'Alle Punkte bestanden.',
  'selftest.passed-skipped':
    'Nichts ist fehlgeschlagen. {count} Punkte wurden übersprungen: Dort gab es nichts zu testen, sie zeigen nichts.',
  'selftest.failed': 'Gescheitert: {points}.',
  'test-alarm.done': 'Der Probealarm wurde nach {ms} ms quittiert.',
  'test-alarm.failed': 'Der Probealarm wurde nicht quittiert: {reason}',
  'test-alarm.missing':
    'Einen Melder dieses Standorts nennen und den Empfänger, den er anruft; beide stehen in der Konsole: carillon test-alarm --device MELDER --receiver scaip.',
  'test-alarm.no-sip':
    'SIP über UDP ist auf diesem Gerät ausgeschaltet, und der Testalarm geht diesen Weg. Einen Port geben: carillon configure --sip-udp 0.0.0.0:5060.',
  'test-alarm.no-site':
    'Dieses Gerät ist nicht zugeordnet, daher ist hier kein Melder bekannt. Erst zuordnen: carillon enrol CODE.',

  'bundle.not-written':
    '{file} lässt sich nicht schreiben ({reason}). Einen anderen Ort nennen: carillon support-bundle -o DATEI.',
  'bundle.done':
    'Geschrieben nach {file} ({size} kB). Es enthält keine Geheimnisse und keine vollen Rufnummern.',

  'capture.unnamed':
    'Keine Spur und kein Anruf ist genannt. Einen nennen: carillon capture --trace ID --out DATEI.',
  'capture.no-answer': 'Der Dienst antwortet auf diesem Host nicht. Prüfen: carillon status.',
  'capture.off':
    'Dieser Host zeichnet keine Nachrichten auf. CARILLON_CAPTURE setzen und den Dienst neu starten.',
  'capture.refused': 'Der Dienst hat die Mitschrift verweigert (HTTP {status}). Die Spur prüfen.',
  'capture.not-written':
    '{file} lässt sich nicht schreiben ({reason}). Einen anderen Ort nennen: carillon capture --out DATEI.',
  'capture.done':
    'Geschrieben nach {file} ({size} kB). Geheimnisse sind ersetzt, Rufnummern und Texte nicht: Es sind personenbezogene Daten.',

  'upgrade.done':
    'Version {version} läuft. Sie wird nach 10 gesunden Minuten bestätigt; bis dahin wird sie zurückgenommen, wenn sie versagt.',
  'upgrade.same': 'Version {version} läuft schon.',
  'upgrade.deb': 'Dieser Rechner hat sein Programm aus einem Debian-Paket. Mit apt aktualisieren.',
  'upgrade.no-file': '{file} ist nicht lesbar. Den Pfad prüfen, und ob der Stick eingehängt ist.',
  'upgrade.unsigned': 'Die Signatur der Version fehlt ({file}). Beide Dateien kopieren.',
  'upgrade.bad-signature':
    '{file} ist nicht das, was freigegeben wurde: {reason} Noch einmal holen; hilft das nicht, den Herausgeber benachrichtigen.',
  'upgrade.no-keys':
    'Dieser Stand enthält keinen Freigabeschlüssel und kann deshalb keine Aktualisierung prüfen. Einen freigegebenen Stand darüber installieren (sh carillon-….run): Konfiguration und Daten bleiben.',
  'upgrade.cpu': 'Diese Version ist für {cpu}, und dieser Rechner ist {machine}. Die andere Datei nehmen.',
  'upgrade.older':
    'Version {version} ist älter als die laufende {running}. Wenn das gewollt ist: --allow-downgrade.',
  'upgrade.space': 'Unter /opt sind nur {free} MB frei; {least} MB werden gebraucht. Dort Platz schaffen.',
  'upgrade.not-current':
    'Hier läuft keine Version, die aktualisiert werden könnte. Installieren: sh carillon-….run.',
  'upgrade.quiet':
    'Nach {minutes} Minuten liefen noch Alarme oder Gespräche. Später versuchen oder --now angeben.',
  'upgrade.replaced': 'Die neue Version startete nicht; systemd ist zur vorigen zurückgekehrt.',
  'upgrade.selftest': 'Die neue Version hat den Selbsttest nicht bestanden bei: {points}.',
  'upgrade.rolled-back': '{reason} Version {running} läuft wieder.',
  'maintenance.undone': 'Eine abgebrochene Änderung ist zurückgenommen.',
  'maintenance.trial':
    'Die Probezeit der neuen Version geht weiter; ihr Timer ging mit dem Neustart verloren.',
  'upgrade.cut':
    'Das Upgrade wurde abgebrochen, bevor es ein Ergebnis gemeldet hatte. Version {release} läuft.',
  'maintenance.nothing': 'Die Anlage bittet um nichts.',
  'maintenance.damaged':
    'Was in {folder} lag, war keine ganze Version mit ihrer Signatur; es ist entfernt, und nichts wurde geändert. Noch einmal anfordern.',
  'maintenance.not-told':
    'Die Leitstelle konnte nicht benachrichtigt werden ({reason}); es steht im Journal dieses Rechners.',
  'rollback.done': 'Version {version} läuft wieder.',
  'rollback.none': 'Es gibt keine frühere Version.',

  'uninstall.told': 'Die Leitstelle weiß, dass dieses Gerät entfernt wird.',
  'uninstall.not-told':
    'Die Leitstelle konnte nicht benachrichtigt werden ({reason}). Das Gerät in der Konsole entfernen, sonst wird es vermisst.',
  'uninstall.done': 'Entfernt. Es bleiben: {kept}. Entfernen mit carillon uninstall --purge oder von Hand.',
  'uninstall.purged': 'Entfernt, mit Konfiguration und Daten.',
  'uninstall.deb':
    'Dieser Rechner hat sein Programm aus einem Debian-Paket. Entfernen mit apt purge carillon.',

  'network.owner': '{name} wird von {owner} konfiguriert.',
  'network.one-way': 'Sagen, wie {name} seine Adresse bekommt: --address ADRESSE/PRÄFIX oder --dhcp.',
  'network.bad-address': '{address} ist nicht ADRESSE/PRÄFIX; zum Beispiel 192.168.1.10/24 schreiben.',
  'network.no-address': '{address} ist keine Adresse; zum Beispiel 192.168.1.1 schreiben.',
  'network.bad-seconds': '--confirm-within nimmt eine ganze Zahl Sekunden, zum Beispiel 120.',
  'network.bad-ntp': '{name} ist kein Name eines Zeitservers; zum Beispiel pool.ntp.org schreiben.',
  'network.bad-search': '{name} ist keine Domain; zum Beispiel care.example schreiben.',
  'network.no-interface': 'Es gibt keine Schnittstelle {name}. Es gibt: {names}.',
  'network.no-owner':
    'Kein Programm konfiguriert {name}, oder mehr als eines ({owners}). Zuerst einem von networkd, netplan und NetworkManager überlassen.',
  'network.lose-ssh':
    'Sie sind über {name} angemeldet; die Änderung beendet die Anmeldung. Wenn das gewollt ist: --accept-risk lose-ssh.',
  'network.confirm':
    'Die Änderung wird in {seconds} s zurückgenommen, wenn sie nicht bestätigt wird. Bestätigen?',
  'network.confirmed': 'Die Änderung bleibt.',
  'network.undone': 'Die Änderung wurde zurückgenommen.',
  'network.untested': 'Nach der Änderung hat {what} nicht geantwortet.',
  'network.armed':
    'Die Änderung wird in {seconds} s zurückgenommen, wenn Sie nicht aufrufen: carillon network confirm.',
  'network.nothing': 'Es gibt nichts zu bestätigen.',
  'network.trust-root': 'Nur root sagt, wessen Wünschen root folgt: sudo carillon network trust.',
  'network.not-enrolled': 'Diese Maschine ist nicht angemeldet: carillon enrol.',
  'network.trusted': 'Root folgt jetzt {domain}, wenn es andere Adressen wünscht, mit dem Schlüssel {keys}.',
  'network.not-trusted':
    'Root kennt den Schlüssel der Zentrale nicht, und nichts wurde geändert. An der Maschine ausführen: carillon network trust.',
  'network.trust-damaged':
    'Was root von der Leitstelle aufbewahrt, ist beschädigt, und nichts wurde geändert. Auf dem Rechner ausführen: carillon network trust.',
  'network.twin-refused':
    'Dem Wunsch wurde nicht gefolgt, und nichts wurde geändert: {reason}. Hat die Zentrale einen neuen Schlüssel, an der Maschine ausführen: carillon network trust.',
  'network.in-force': 'Die Adressen sind schon da.',
  'network.adopted': '{name} hat die Adressen jetzt; die Zentrale wurde über sie erreicht.',
  'network.cut': 'Die Änderung wurde vor der Bestätigung unterbrochen und zurückgenommen.',
  'network.cut-off': 'Die Zentrale wurde in {seconds} s nicht erreicht.',
  'network.no-route':
    'Die Maschine hat keine Standardroute, daher ist die Schnittstelle unbekannt. Die Adressen an der Maschine setzen: carillon network set.',
  'network.gateway-outside':
    'Das Gateway {gateway} liegt nicht in {addresses}. Nichts wurde geändert; Adressen und Gateway an der Maschine setzen: carillon network set.',
};
