/*
 * Digits as spandsp's generator says them, 16-bit samples at 8 kHz on stdout, silence behind them.
 *
 *   spandsp-voice DIGITS LEVEL TWIST ON OFF      level of the low tone in dBm0, high minus low in dB, tone and pause in ms
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SPANDSP_EXPOSE_INTERNAL_STRUCTURES
#include <spandsp.h>

#define FRAME 160
/* Its queue holds 128. */
#define AT_ONCE 64
#define QUIET_FRAMES 10

int main(int argc, char *argv[])
{
    int16_t frame[FRAME];
    int said;

    if (argc != 6)
        return 64;
    dtmf_tx_state_t *voice = dtmf_tx_init(NULL);
    dtmf_tx_set_level(voice, atoi(argv[2]), atoi(argv[3]));
    dtmf_tx_set_timing(voice, atoi(argv[4]), atoi(argv[5]));
    for (const char *at = argv[1]; *at != 0; at += strnlen(at, AT_ONCE)) {
        dtmf_tx_put(voice, at, (int) strnlen(at, AT_ONCE));
        while ((said = dtmf_tx(voice, frame, FRAME)) > 0)
            if (fwrite(frame, sizeof(int16_t), (size_t) said, stdout) != (size_t) said)
                return 74;
    }
    dtmf_tx_free(voice);
    memset(frame, 0, sizeof frame);
    for (int quiet = 0; quiet < QUIET_FRAMES; quiet++)
        if (fwrite(frame, sizeof(int16_t), FRAME, stdout) != FRAME)
            return 74;
    return 0;
}
