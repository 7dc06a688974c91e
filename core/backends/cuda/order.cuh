// The canonical order of particles (core/particles/order.hpp) on the device, and the occupied cells in it.
#pragma once

#include "core/backends/cuda/device.cuh"
#include "core/particles/buffers.hpp"

namespace halfulp::cuda {

// The smallest and largest cell index of all particles along each axis.
struct CellBounds {
    std::int32_t low[3];
    std::int32_t high[3];
};

// Sorts: order()[k] is the present index of the particle that belongs at k.
class Order {
public:
    void sort(const Four<std::int32_t>* cell, const Kind* kind, std::size_t count, const CellBounds& bounds,
              cudaStream_t stream);
    [[nodiscard]] const std::uint32_t* order() const { return order_; }

private:
    void sort_keys(std::size_t count, int bits, cudaStream_t stream);

    DeviceVector<std::uint64_t> keys_[2];
    DeviceVector<std::uint32_t> indices_[2];
    DeviceVector<std::uint8_t> scratch_;
    std::uint32_t* order_ = nullptr;
    int current_ = 0;
};

// The occupied cells and rows of cells of particles in the canonical order, as CellDirectory has them on the host.
struct DirectoryView {
    const Four<std::int32_t>* cell;  // of the particles
    const std::uint32_t* first;      // particle of each occupied cell, then the number of particles
    const std::uint32_t* row_first;  // cell of each row, then the number of cells
    std::uint32_t cells;
    std::uint32_t rows;

    __device__ const Four<std::int32_t>& of_cell(std::uint32_t k) const { return cell[first[k]]; }
};

class Directory {
public:
    void build(const Four<std::int32_t>* cell, std::size_t count, cudaStream_t stream);
    [[nodiscard]] DirectoryView view() const { return view_; }

private:
    DeviceVector<std::uint32_t> first_;
    DeviceVector<std::uint32_t> row_first_;
    DeviceVector<std::uint32_t> counts_;  // of cells and rows
    DeviceVector<std::uint8_t> scratch_;
    DirectoryView view_{};
};

}  // namespace halfulp::cuda
