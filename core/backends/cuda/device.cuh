// Device memory, error handling and kernel launches.
#pragma once

#include <algorithm>
#include <cstddef>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include <cuda_runtime.h>

#include "core/backends/cuda/warp.cuh"

namespace halfulp::cuda {

// Sets the name by which messages call a device.
void name_device(int device, const std::string& model);

// Throws a MachineError on causes that the user can act on: too little memory, a lost device.
void check(cudaError_t answer, const char* doing);

// Of the device in use.
unsigned multiprocessors();

inline constexpr unsigned every_lane = 0xffffffffU;
inline constexpr int usual_threads = 256;  // of a block, where the number makes no difference

// At least one, as a kernel without any does not start.
inline unsigned blocks_for(std::size_t count, int threads)
{
    const std::size_t blocks = (count + static_cast<std::size_t>(threads) - 1) / static_cast<std::size_t>(threads);
    return blocks > 0 ? static_cast<unsigned>(blocks) : 1;
}

__device__ inline std::size_t thread_index() { return blockIdx.x * std::size_t(blockDim.x) + threadIdx.x; }

// Every allocation has this many more bytes, so that a thread may load a few elements beyond the last and drop them.
inline constexpr std::size_t padding_of_allocations = 1024;

// Bytes of device memory that this program holds.
std::size_t bytes_held();
void* allocate(std::size_t bytes, const char* purpose);
void release(void* memory, std::size_t bytes);

// An array in device memory. Growth discards its content.
template <class T>
class DeviceVector {
public:
    DeviceVector() = default;
    explicit DeviceVector(std::size_t size) { resize(size); }
    ~DeviceVector() { clear(); }
    DeviceVector(const DeviceVector&) = delete;
    DeviceVector& operator=(const DeviceVector&) = delete;
    DeviceVector(DeviceVector&& other) noexcept { swap(other); }
    DeviceVector& operator=(DeviceVector&& other) noexcept
    {
        swap(other);
        return *this;
    }

    void resize(std::size_t size, const char* purpose = "the particles")
    {
        if (size > capacity_) {
            clear();
            data_ = static_cast<T*>(allocate(size * sizeof(T), purpose));
            capacity_ = size;
        }
        size_ = size;
    }
    // Resizes with room for further growth, for arrays that grow at every rebuild of a spreading flow: an allocation
    // waits for the device.
    void grow(std::size_t size, const char* purpose)
    {
        constexpr std::size_t most_room = (std::size_t{64} << 20U) / sizeof(T);
        if (size > capacity_) resize(size + std::min(size / 8, most_room), purpose);
        size_ = size;
    }
    void clear()
    {
        if (data_ != nullptr) release(data_, capacity_ * sizeof(T));
        data_ = nullptr;
        size_ = capacity_ = 0;
    }
    void swap(DeviceVector& other) noexcept
    {
        std::swap(data_, other.data_);
        std::swap(size_, other.size_);
        std::swap(capacity_, other.capacity_);
    }

    // With an array of other elements of the same size.
    template <class U>
    void swap_memory(DeviceVector<U>& other) noexcept
    {
        static_assert(sizeof(U) == sizeof(T));
        T* const own = data_;
        data_ = reinterpret_cast<T*>(other.data_);
        other.data_ = reinterpret_cast<U*>(own);
        std::swap(size_, other.size_);
        std::swap(capacity_, other.capacity_);
    }

    [[nodiscard]] T* data() { return data_; }
    [[nodiscard]] const T* data() const { return data_; }
    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] std::size_t capacity() const { return capacity_; }

private:
    template <class U>
    friend class DeviceVector;

    T* data_ = nullptr;
    std::size_t size_ = 0;
    std::size_t capacity_ = 0;
};

// One object in pinned host memory, to which the device copies asynchronously.
template <class T>
class Pinned {
public:
    Pinned() { check(cudaMallocHost(&data_, sizeof(T)), "taking pinned memory"); }
    ~Pinned() { cudaFreeHost(data_); }
    Pinned(const Pinned&) = delete;
    Pinned& operator=(const Pinned&) = delete;
    T* operator->() { return data_; }
    const T* operator->() const { return data_; }
    T* get() { return data_; }

private:
    T* data_ = nullptr;
};

// An array of such objects. Growth discards its content; it throws std::bad_alloc where the host has too little memory.
template <class T>
class PinnedVector {
public:
    PinnedVector() = default;
    ~PinnedVector() { cudaFreeHost(data_); }
    PinnedVector(const PinnedVector&) = delete;
    PinnedVector& operator=(const PinnedVector&) = delete;
    PinnedVector(PinnedVector&& other) noexcept { swap(other); }
    PinnedVector& operator=(PinnedVector&& other) noexcept
    {
        swap(other);
        return *this;
    }

    void swap(PinnedVector& other) noexcept
    {
        std::swap(data_, other.data_);
        std::swap(size_, other.size_);
        std::swap(capacity_, other.capacity_);
    }
    void resize(std::size_t size)
    {
        if (size > capacity_) {
            cudaFreeHost(data_);
            data_ = nullptr;
            size_ = capacity_ = 0;
            const cudaError_t answer = cudaMallocHost(&data_, size * sizeof(T));
            if (answer == cudaErrorMemoryAllocation) {
                cudaGetLastError();  // so that later calls do not report it again
                throw std::bad_alloc();
            }
            check(answer, "taking pinned memory");
            capacity_ = size;
        }
        size_ = size;
    }
    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] T* data() { return data_; }
    [[nodiscard]] const T* data() const { return data_; }
    T& operator[](std::size_t k) { return data_[k]; }
    const T& operator[](std::size_t k) const { return data_[k]; }

private:
    T* data_ = nullptr;
    std::size_t size_ = 0;
    std::size_t capacity_ = 0;
};

// Tag of a stream whose blocks a device starts before those of other streams.
struct MostUrgent {};
inline constexpr MostUrgent most_urgent;

class Stream {
public:
    Stream() { check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "making a stream"); }
    explicit Stream(MostUrgent /*unused*/)
    {
        int least = 0;
        int most = 0;
        check(cudaDeviceGetStreamPriorityRange(&least, &most), "making a stream");
        check(cudaStreamCreateWithPriority(&stream_, cudaStreamNonBlocking, most), "making a stream");
    }
    ~Stream() { cudaStreamDestroy(stream_); }
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;
    operator cudaStream_t() const { return stream_; }

private:
    cudaStream_t stream_ = nullptr;
};

// Events for timing, which are taken again and again.
class EventPool {
public:
    EventPool() = default;
    ~EventPool();
    EventPool(const EventPool&) = delete;
    EventPool& operator=(const EventPool&) = delete;

    // An event that the stream passes now.
    cudaEvent_t passed_by(cudaStream_t stream);
    cudaEvent_t take();
    void give_back(cudaEvent_t one) { free_.push_back(one); }

private:
    std::vector<cudaEvent_t> free_;
    std::vector<cudaEvent_t> all_;
};
// Between two events that the device has passed.
double seconds_between(cudaEvent_t from, cudaEvent_t to);

// The larger of two non-negative numbers, exactly, in any order; NaN is ignored, as in larger().
__device__ inline void raise(unsigned long long* largest, double value)
{
    for (int distance = warp / 2; distance > 0; distance /= 2) {
        const double other = __shfl_xor_sync(every_lane, value, distance);
        value = other > value || !(value == value) ? other : value;
    }
    if (threadIdx.x % warp != 0 || !(value > 0)) return;
    const auto bits = static_cast<unsigned long long>(__double_as_longlong(value));
    if (bits > *static_cast<volatile unsigned long long*>(largest)) atomicMax(largest, bits);
}

}  // namespace halfulp::cuda
