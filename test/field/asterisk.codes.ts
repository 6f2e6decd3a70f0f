/** The folders of the suite that speak of what the appliance does, below its root. */
export const FOLDERS: readonly string[] = [
  'message',
  'registration/inbound',
  'session_timers',
  'sdp_offer_answer/incoming',
  'basic_calls/incoming/off-nominal',
  'rel100/incoming',
  'in_dialog_options',
  'in_dialog_invite_replaces',
  'reinvite_pending',
  'cseq_method',
  'multipart_empty_part',
  'sdp_mandatory_lines',
  'all_codecs_on_empty_reinvite',
  'handle_options_request',
  'hold_inactive',
  'info_empty',
  'invalid_uris',
].map((folder) => `tests/channels/pjsip/${folder}`);

/** Devices that scenarios register, all with the suite's own password. */
export const ACCOUNTS: readonly string[] = ['alice', 'bob'];

const OTHER_OPTION = 'an option of Asterisk that the appliance has by another rule';
const OWN_CODECS =
  "the expression is Asterisk's own list of codecs and streams; the appliance answers PCMU and PCMA, video with port 0";
const BRIEF = 'registrations of 10 s: the shortest here is 60 s (423, Min-Expires)';

/** Scenarios that ask for something the appliance does not do, by a part of their path. */
export const NOT_APPLICABLE: Readonly<Record<string, string>> = {
  ipv6: 'the same scenario over IPv6; test/peers has calls and registrations over IPv6',
  '/video/': 'video',
  'audio-video': OWN_CODECS,
  message_confbridge: 'a conference that hands messages around',
  message_context: 'it waits for a message of the dialplan',
  no_message_expected: 'the other side of a scenario: it waits that nothing comes',
  remove_existing: OTHER_OPTION,
  remove_unavailable: OTHER_OPTION,
  maximum_expiration: OTHER_OPTION,
  contact_acl: OTHER_OPTION,
  max_contacts: OTHER_OPTION,
  regcontext: OTHER_OPTION,
  'md5/playback': 'it reads its accounts from a file that the suite makes',
  wrong_credentials: 'it reads its accounts from a file that the suite makes',
  ident_by_auth_user: OTHER_OPTION,
  unknown_user: 'calls of this trunk are known by their address',
  phone_A: 'it reads its accounts from a file that the suite makes',
  'rel100/': 'Asterisk answers 183 by its dialplan; a media service answers 200',
  reinvite_pending: 'Asterisk asks again by its dialplan',
};

/** Why the outcome is another one, by a part of the path. */
export const DIFFERS: Readonly<Record<string, string>> = {
  message_: '200 where Asterisk says 202: both accept (RFC 3428 7)',
  'unregister/': 'the second REGISTER repeats CSeq 1, which RFC 3261 10.3 does not take',
  _drop_options: 'the devices of the scenario have other names',
  'multiple_contacts/': BRIEF,
  'mixed/': BRIEF,
  minimum_expiration: BRIEF,
  single_contact: 'no Expires: the default here is 3600 s, in the suite 30 s',
  no_contact_header: 'it lists the bindings of the scenarios before',
  no_expires_header: 'the second REGISTER repeats CSeq 1, which RFC 3261 10.3 does not take',
  'path/': 'the devices of the scenario have other names',
  'session-timer-minse': 'Asterisk is told a Min-SE above 120 s; that of the appliance is 90 s',
  avpf: 'RTP/AVPF is answered as offered',
  'single-media-stream/audio/': OWN_CODECS,
  'multiple-media-stream/audio': OWN_CODECS,
  'codec-mismatch': 'no audio codec in common: 488 for the whole call',
  'initial-declined': OWN_CODECS,
  incompatible_codecs: 'Asterisk is told to have no PCMU',
  uac_invalid_offer:
    'a video stream that says nothing of its format is declined, the audio beside it is taken: 200',
  uac_valid_deferred_answer: 'SIPp sends no audio, so the appliance ends the call after 10 s',
  'early-offer': OWN_CODECS,
  'late-offer': 'a body without Content-Type, by a blank line too many in the scenario: 400',
  options_404: 'OPTIONS asks for the abilities of the appliance, whatever name it has: 200',
  invalid_uris: 'the number is not provisioned: 404 comes first',
};
