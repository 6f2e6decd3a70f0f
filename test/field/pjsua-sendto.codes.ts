const LENGTH =
  'Content-Length counts line ends that the script does not send: a torn request, 400 (RFC 3261 18.3)';
const CONTACT = 'a Contact that is no SIP address cannot be called back: 400';
const SUBSCRIBE = 'the appliance takes no subscriptions: 405';
const CODEC = 'a codec that the appliance does not speak: 488';
const ICE = 'ICE belongs to WebRTC calls; a trunk answers without';
const NO_AUDIO = 'nothing that can be used: the appliance answers 488 where pjsua answers 406 or 400';
const FIRST_KEY = 'the first key is sound, and the answer takes it';
const PLAIN_KEY = 'a broken key on a plain stream (RTP/AVP): answered plain';

/** Why the outcome is another one, or why the script asks for something the appliance does not do. */
export const REASONS: Readonly<Record<string, string>> = {
  '001_torture_4475_3_1_1_1': LENGTH,
  '001_torture_4475_3_1_1_2': '501 for an unknown method, as RFC 3261 21.5.2 says; pjsua answers 405',
  '001_torture_4475_3_1_1_3': 'the script writes the tag of From twice',
  '001_torture_4475_3_1_1_4': 'a REGISTER of a user that is no device of the tenant: 403',
  '001_torture_4475_3_1_1_5': '501 for an unknown method, as RFC 3261 21.5.2 says; pjsua answers 405',
  '110_tel_uri': LENGTH,
  '152_err_sdp_no_media': NO_AUDIO,
  '156_err_sdp_bad_net_type': NO_AUDIO,
  '157_err_sdp_bad_addr_type': NO_AUDIO,
  '159_no_rport': LENGTH,
  '161_err_replaces_dlg_not_found': 'Replaces without its two tags is malformed (RFC 3891 6.1): 400',
  '172_timer_supported_but_not_used':
    'the appliance asks for a session timer where the caller supports it (RFC 4028 9)',
  '174_timer_se_too_small': 'pjsua is told a Min-SE of 2000 s; that of the appliance is 90 s',
  '200_ice_success_1': ICE,
  '200_ice_success_2': ICE,
  '200_ice_success_3': ICE,
  '200_ice_success_4': ICE,
  '201_ice_mismatch_1': ICE,
  '201_ice_mismatch_2': ICE,
  '201_ice_mismatch_3': ICE,
  '251_multipart_ok_simple': LENGTH,
  '252_multipart_ok_clutter': LENGTH,
  '260_multipart_err_no_sdp': LENGTH,
  '300_srtp_duplicated_crypto_tag': FIRST_KEY,
  '300_srtp_invalid_crypto_tag_non_numeric': FIRST_KEY,
  '300_srtp_receive_no_key_1': PLAIN_KEY,
  '300_srtp_receive_no_key_2': PLAIN_KEY,
  '300_srtp_receive_no_key_3': PLAIN_KEY,
  '320_srtp2_no_crypto': NO_AUDIO,
  '321_srtp2_recv_avp': 'a key beside a plain stream is taken, and the answer has one',
  '323_srtp2_receive_too_long_key': NO_AUDIO,
  '323_srtp2_unsupported_crypto': NO_AUDIO,
  '330_srtp_prefer_rtp_savp': 'the first stream that can be used is taken, as offered',
  '360_non_sip_uri': CONTACT,
  '361_non_sip_uri': CONTACT,
  '362_non_sip_uri': CONTACT,
  '363_non_sip_uri_subscribe': SUBSCRIBE,
  '364_non_sip_uri_subscribe': SUBSCRIBE,
  '400_fmtp_g7221_with_bitrate': CODEC,
  '401_fmtp_g7221_with_bitrate_24000': CODEC,
  '401_fmtp_g7221_with_bitrate_32000': CODEC,
  '402_fmtp_g7221_uwb_with_bitrate': CODEC,
  '402_fmtp_g7221_uwb_with_bitrate_24000': CODEC,
  '402_fmtp_g7221_uwb_with_bitrate_32000': CODEC,
  '402_fmtp_g7221_uwb_with_bitrate_48000': CODEC,
  '410_fmtp_amrnb_offer_octet_align': CODEC,
  '411_fmtp_amrnb_offer_band_eff': CODEC,
  '412_fmtp_amrnb_offer_band_eff2': CODEC,
  '413_fmtp_amrwb_offer_octet_align': CODEC,
  '414_fmtp_amrwb_offer_band_eff': CODEC,
  '415_fmtp_amrwb_offer_band_eff2': CODEC,
  '500_pres_subscribe_with_bad_event': 'SUBSCRIBE is no method of the appliance: 405',
  '999_asterisk_err': LENGTH,
};

/** Reasons that mean that the appliance has nothing to be asked for. */
export const NOT_APPLICABLE: ReadonlySet<string> = new Set([CODEC, ICE]);
