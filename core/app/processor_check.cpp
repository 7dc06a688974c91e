// Check for fused multiply-adds, compiled without any instruction-set flags and run first: without it the program would
// die of an illegal instruction or compute other bits.

#include <unistd.h>

namespace {

#if defined(__x86_64__)
__attribute__((constructor(101))) void check_processor()
{
    __builtin_cpu_init();
    if (__builtin_cpu_supports("fma") && __builtin_cpu_supports("avx2")) return;
    static const char sentence[] =
        "halfulp: this processor lacks fused multiply-adds (FMA, AVX2), without which the results would have other bits than "
        "everywhere else; run halfulp on an x86-64 processor of 2013 or later\n";
    if (write(STDERR_FILENO, sentence, sizeof(sentence) - 1) < 0) _exit(5);
    _exit(5);
}
#endif

}  // namespace
