/*
 * What spandsp's DTMF receiver hears in 16-bit samples at 8 kHz, and the processor time it takes.
 *
 *   spandsp-ear ROUNDS FILE...      one line for each file: digits, nanoseconds of the fastest round, samples
 *
 * The receiver is fed 20 ms at a time, as a leg would, with its limits as they come.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define SPANDSP_EXPOSE_INTERNAL_STRUCTURES
#include <spandsp.h>

#define FRAME 160

static char *heard;
static size_t count;

static void digits(void *user_data, const char *found, int length)
{
    (void) user_data;
    heard = realloc(heard, count + (size_t) length + 1);
    memcpy(heard + count, found, (size_t) length);
    count += (size_t) length;
}

static int64_t processor_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (int64_t) now.tv_sec * 1000000000 + now.tv_nsec;
}

int main(int argc, char *argv[])
{
    int rounds = argc > 1 ? atoi(argv[1]) : 0;

    if (rounds < 1 || argc < 3)
        return 64;
    for (int file = 2; file < argc; file++) {
        FILE *in = fopen(argv[file], "rb");
        if (in == NULL)
            return 66;
        fseek(in, 0, SEEK_END);
        long bytes = ftell(in);
        rewind(in);
        long samples = bytes / 2;
        int16_t *sound = malloc((size_t) bytes + 2);
        if (fread(sound, 2, (size_t) samples, in) != (size_t) samples)
            return 74;
        fclose(in);
        int64_t fastest = INT64_MAX;
        for (int round = 0; round < rounds; round++) {
            count = 0;
            dtmf_rx_state_t *ear = dtmf_rx_init(NULL, digits, NULL);
            int64_t begun = processor_ns();
            for (long at = 0; at + FRAME <= samples; at += FRAME)
                dtmf_rx(ear, sound + at, FRAME);
            int64_t took = processor_ns() - begun;
            if (took < fastest)
                fastest = took;
            dtmf_rx_free(ear);
        }
        printf("\"%.*s\" %" PRId64 " %ld\n", (int) count, heard == NULL ? "" : heard, fastest, samples);
        free(sound);
    }
    return 0;
}
