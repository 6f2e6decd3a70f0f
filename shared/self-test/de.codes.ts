import type { SelfTestTexts } from './text.ts';

/** Names of the points and what to do about them, in German. */
export const de: SelfTestTexts = {
  points: {
    sip: 'SIP antwortet',
    call: 'Anruf bei sich selbst',
    rtp: 'Ton in beide Richtungen',
    dtmf: 'Ziffern in beide Richtungen',
    codecs: 'Codecs',
    tts: 'Sprache',
    dns: 'Namen (DNS)',
    ntp: 'Uhr (NTP)',
    tls: 'Leitstelle (TLS)',
    mqtt: 'Broker (MQTT)',
    trunk: 'Trunk',
    alarm: 'Probealarm',
    ports: 'Offene Ports',
    'sip-alg': 'Router lässt SIP in Ruhe',
    fsync: 'Platte',
    memory: 'Speicher',
  },
  codes: {
    notEnrolled: 'nicht zugeordnet',
    notAsked: 'nicht verlangt (--local)',
    'service.silent':
      'Der Dienst auf diesem Gerät antwortet nicht. Erst carillon status ansehen, dann: journalctl -u carillon-appliance -n 50.',
    unexpected:
      'Der Test selbst brach ab. Noch einmal starten; bricht er wieder ab, eine Hilfsdatei (support-bundle) schicken.',

    'sip.off': 'SIP über UDP ist ausgeschaltet',
    'sip.silent':
      'Auch Melder bekommen keine Antwort. Nachsehen, ob der Dienst läuft (carillon status) und welchen Port er hat (carillon config show).',
    'call.none': 'nicht gemessen: Der Anruf bei sich selbst kam nicht zustande',
    'call.silent':
      'Der Dienst nimmt keinen Anruf an, auch Telefone bekommen keine Antwort. Erst carillon status ansehen, dann den Dienst neu starten.',
    'call.refused':
      'Der Dienst weist einen Anruf ab. Bei 503 hat er keinen Medienport mehr (vielleicht hält sie ein anderes Programm: ss -ulpn), ist überlastet oder wird geleert: carillon status.',
    'rtp.silent':
      'Das Gespräch steht, und eine Seite hört nichts: Kein Gespräch hätte Ton. Nachsehen, dass auf diesem Gerät nichts UDP auf den Ports der Einstellung rtp_ports filtert.',
    'rtp.engine':
      'Die Tonmaschine des Tests lässt sich nicht öffnen, und Gespräche haben vielleicht keinen Ton. Den Dienst neu starten; scheitert es wieder, eine Hilfsdatei (support-bundle) schicken.',
    'rtp.lost':
      'Sprache kommt auf diesem Gerät verspätet oder zerrissen an. Nachsehen, was sonst läuft (top); einer virtuellen Maschine feste Rechenzeit geben.',
    'dtmf.unheard':
      'Alarme in Tönen würden nicht verstanden. Test wiederholen, während sonst nichts läuft; scheitert er wieder, eine Hilfsdatei (support-bundle) schicken.',
    'dtmf.late': 'Sie wurden beim zweiten Versuch gehört: Das Gerät war beschäftigt. Den Test wiederholen.',
    'codecs.level':
      'Gespräche mit diesem Codec wären stumm oder verzerrt. Eine Hilfsdatei (support-bundle) schicken.',
    'tts.silent':
      'Ansagen würden nicht gesprochen. Das Paket espeak-ng installieren, den Dienst neu starten.',
    'cloud.none': 'keine Leitstelle eingestellt',
    'dns.failed':
      'Der Name der Leitstelle wird nicht gefunden. DNS-Server prüfen: carillon network show. Alarme dieses Standorts gehen trotzdem.',
    'ntp.unknown': 'kein Zeitserver bekannt; einen einrichten: timedatectl set-ntp true',
    'ntp.silent': 'Der Zeitserver antwortet nicht. UDP-Port 123 hinauslassen oder einen anderen nennen.',
    'ntp.off':
      'Zertifikate und Zeiten der Alarme werden mit dieser Uhr falsch. Stellen: timedatectl set-ntp true; dann noch einmal testen.',
    'tls.unreachable':
      'Der Zugang der Leitstelle ist nicht erreichbar. Seinen Port (in der Adresse) durch die Firewall hinauslassen.',
    'tls.untrusted':
      'Jemand anders antwortet, oder der Aussteller hat gewechselt. Fragen, ob dieses Netz Verbindungen öffnet; wenn nicht, neu zuordnen.',
    'tls.expiring':
      'Das Zertifikat hätte sich selbst erneuern sollen. Im Protokoll nach "renew" suchen und prüfen, ob die Leitstelle verbunden ist.',
    'mqtt.unreachable':
      'Der Broker ist nicht erreichbar. Seinen Port (in der Adresse) durch die Firewall hinauslassen. Alarme dieses Standorts gehen trotzdem.',
    'mqtt.untrusted':
      'Jemand anders antwortet, oder der Aussteller hat gewechselt. Fragen, ob dieses Netz Verbindungen öffnet; wenn nicht, neu zuordnen.',
    'mqtt.notConnected':
      'Der Broker antwortet, aber der Dienst hat dort keine Sitzung. Eine Minute warten und wiederholen; dann im Protokoll nach "management connection" suchen. Wurde das Gerät geklont?',
    'mqtt.notDelivered':
      'Der Broker nimmt an, was wir sagen, und bringt es nicht zurück: Seine Zugriffsliste muss jedes Gerät sein eigenes up/state lesen lassen (carillon broker check).',

    'trunk.none': 'kein Trunk eingerichtet',
    'trunk.more': 'In der Konsole nachsehen: Dort steht jeder Trunk mit seinem Zustand.',
    'trunk.silent':
      'Dort antwortet niemand. Adresse und Port in der Konsole prüfen, und ob die Firewall SIP hinaus- und zurücklässt.',
    'trunk.address': 'Die Adresse dieses Trunks ist unbrauchbar. In der Konsole berichtigen.',
    'trunk.name':
      'Der Name dieses Trunks wird nicht gefunden. In der Konsole berichtigen oder den DNS-Server prüfen.',
    'trunk.tls':
      'Dem Zertifikat dieses Trunks wird nicht vertraut, oder es gilt nicht für diesen Namen. Den Aussteller mit der Einstellung trust angeben oder den Betreiber fragen.',
    'trunk.unreachable':
      'Zu diesem Trunk lässt sich keine Verbindung öffnen. Adresse, Port und Transport in der Konsole prüfen, und die Firewall.',
    'trunk.login': 'Der Betreiber lehnt Benutzername oder Passwort ab. In der Konsole berichtigen.',
    'trunk.noLogin':
      'Der Betreiber verlangt Benutzername und Passwort, und dieser Trunk hat keine. In der Konsole eintragen.',
    'trunk.refused':
      'Der Betreiber antwortet und lehnt diese Frage ab. Manche lehnen nur sie ab: einen Testanruf machen; scheitert er, den Betreiber bitten, die Adresse dieses Geräts zuzulassen.',
    'trunk.unavailable': 'Der Betreiber sagt, dass er jetzt nicht bedienen kann. Den Betreiber fragen.',
    'trunk.odd':
      'Der Betreiber antwortet mit einem eigenen Fehler. Einen Testanruf machen; scheitert er, den Betreiber fragen.',
    'trunk.notRegistered':
      'Der Betreiber nimmt unsere Registrierung nicht an: Dort kann niemand hereinrufen. Benutzername und Passwort in der Konsole prüfen.',
    'trunk.registering': 'Unsere Registrierung dort läuft noch. In einer halben Minute noch einmal testen.',
    'trunk.oneHost':
      'Gespräche gehen über die andere Gegenstelle dieses Trunks. Diese hier in Ordnung bringen, bevor auch jene ausfällt.',

    'alarm.none': 'keine Alarmbrücke nennt eine Anwendung (callbackBaseUrl)',
    'alarm.dropped': 'die Ereignistabelle der Alarmbrücke verwirft ihn',
    'alarm.notTaken':
      'Die Alarmzentrale nimmt von hier keine Alarme an. targetEndpoint des Ereignissenders in der Konsole und die Firewall prüfen, dort nachfragen.',
    'alarm.unmarked':
      'kein Probealarm: Nichts würde der Alarmzentrale sagen, dass es einer ist. Dort fragen und den Alarm eines Geräts senden: carillon test-alarm',
    'alarm.byCall':
      'kein Probealarm: Die Alarmzentrale wird angerufen. Dort fragen und den Alarm eines Geräts senden: carillon test-alarm',
    'alarm.login':
      'Der Empfänger weist unsere Zugangsdaten ab: Alarme würden nicht angenommen. restAuthentication der Alarmbrücke in der Konsole berichtigen.',
    'alarm.refused':
      'Der Empfänger antwortet und nimmt den Alarm nicht an. Den Betreiber der Anwendung fragen; Alarme warten solange hier und werden wieder gesendet.',
    'alarm.unreached':
      'Der Empfänger ist nicht erreichbar. callbackBaseUrl in der Konsole, DNS-Server und Firewall prüfen; Alarme warten solange hier.',
    'alarm.waiting':
      'Der Empfänger hat zuvor versagt oder ist langsam, darum ging der Alarm noch nicht hinaus. In einer Minute wieder testen; dann den Betreiber der Anwendung fragen.',
    'alarm.notStored':
      'Der Alarm ließ sich nicht schreiben, und ein solcher wird nicht quittiert. Nachsehen, ob die Platte voll (df -h) oder schreibgeschützt ist (mount).',

    'ports.shut':
      'Dort lauscht niemand. Nachsehen, ob ein anderes Programm den Port hält (ss -tlpn) und ob der Dienst läuft (carillon status).',
    'alg.noPeer':
      'nicht gemessen: Kein Trunk hat geantwortet, und kein SIP-Server außerhalb ist genannt (--sip-peer HOST:PORT)',
    'alg.secure': 'nicht gemessen: Mit den Trunks wird über TLS gesprochen, das kein Router umschreiben kann',
    'alg.hidden':
      'Ein Router auf dem Weg schreibt SIP wahrscheinlich um: Die andere Seite sieht keine Adressumsetzung, wo eine sein muss. Sein SIP ALG (SIP Helper) ausschalten.',
    'alg.silent':
      'Der SIP-Server außerhalb antwortet nicht. Die Adresse prüfen, und ob die Firewall SIP hinauslässt.',
    'alg.rewrites': 'Ein Router auf dem Weg schreibt SIP um. Sein SIP ALG (SIP Helper) ausschalten.',
    'fsync.slow':
      'Ein Alarm wird erst quittiert, wenn er auf der Platte liegt. Eine SSD verwenden, keine Speicherkarte.',
    'fsync.missing':
      'Den Ordner für alle Daten gibt es nicht. Das Gerät erst installieren (carillon install) oder den Ordner mit --data nennen.',
    'fsync.failed':
      'Nichts lässt sich speichern: Alarme werden nicht quittiert. Nachsehen, ob die Platte voll (df -h) oder schreibgeschützt ist (mount).',
    'memory.low': 'Dem Gerät mehr Speicher geben, oder anhalten, was sonst hier läuft.',
  },
};
