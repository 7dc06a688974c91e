// A library that CUDA loads into a program (CUDA_INJECTION64_PATH) and that writes when its kernels and copies begin
// and end on the devices, by NVIDIA's CUPTI: a line each, in the file HALFULP_TRACE, of kind, device, stream, begin and
// end in ns of one clock, and name. scripts/timeline compiles and uses it.
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include <cupti.h>

namespace {

constexpr std::size_t part = 8 << 20;
std::FILE* trace = nullptr;

void CUPTIAPI give_room(std::uint8_t** buffer, std::size_t* size, std::size_t* records)
{
    *buffer = static_cast<std::uint8_t*>(std::aligned_alloc(8, part));
    *size = part;
    *records = 0;
}

template <class Record>
void write(const char* kind, const Record& record, const char* name)
{
    std::fprintf(trace, "%s,%u,%u,%llu,%llu,%s\n", kind, record.deviceId, record.streamId,
                 static_cast<unsigned long long>(record.start), static_cast<unsigned long long>(record.end), name);
}

void CUPTIAPI take(CUcontext /*context*/, std::uint32_t /*stream*/, std::uint8_t* buffer, std::size_t /*size*/,
                   std::size_t valid)
{
    CUpti_Activity* record = nullptr;
    while (cuptiActivityGetNextRecord(buffer, valid, &record) == CUPTI_SUCCESS) {
        switch (record->kind) {
        case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL: {
            const auto& kernel = *reinterpret_cast<const CUpti_ActivityKernel10*>(record);
            write("kernel", kernel, kernel.name);
            break;
        }
        case CUPTI_ACTIVITY_KIND_MEMCPY:
            write("copy", *reinterpret_cast<const CUpti_ActivityMemcpy6*>(record), "");
            break;
        case CUPTI_ACTIVITY_KIND_MEMCPY2:
            write("peer", *reinterpret_cast<const CUpti_ActivityMemcpyPtoP4*>(record), "");
            break;
        default: break;
        }
    }
    std::free(buffer);
}

void end()
{
    cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
    std::fclose(trace);
}

}  // namespace

extern "C" int InitializeInjection()
{
    const char* const path = std::getenv("HALFULP_TRACE");
    trace = path == nullptr ? nullptr : std::fopen(path, "w");
    if (trace == nullptr) return 0;
    cuptiActivityRegisterCallbacks(give_room, take);
    cuptiActivityEnable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
    cuptiActivityEnable(CUPTI_ACTIVITY_KIND_MEMCPY);
    cuptiActivityEnable(CUPTI_ACTIVITY_KIND_MEMCPY2);
    std::atexit(end);
    return 1;
}
