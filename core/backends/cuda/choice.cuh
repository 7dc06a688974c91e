// Lists of particles that the device chooses, some of them from others, without the host waiting in between. The host
// learns their lengths when it next hears from the device, and has all of them chosen again if one had too little room.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/backends/cuda/device.cuh"

namespace halfulp::cuda {

// The number of bits in the marks of a particle.
inline constexpr std::size_t most_lists = 32;

struct ChosenParticles {
    DeviceVector<std::uint32_t> particles;
    std::size_t number = 0;  // once it is learnt
    std::size_t place = 0;   // among those of a choice
};

namespace detail {
struct ChoiceFrom;
}

class Choice {
public:
    // most: lists of a choice.
    Choice(std::size_t most, const char* purpose) : purpose_(purpose), lists_(most)
    {
        numbers_.resize(most, purpose);
        numbers_here_.resize(most);
    }

    void begin() { chosen_ = 0; }
    // mark: of a particle, with a bit for each list, of which there are most_lists at most; a null pointer stands for
    // none. The lists are in the order of the particles chosen from.
    // Both are in choice_body.cuh.
    template <class Mark>
    void choose(std::size_t count, const Mark& mark, std::span<ChosenParticles* const> lists, cudaStream_t stream);
    template <class Mark>
    void choose(const ChosenParticles& from, const Mark& mark, std::span<ChosenParticles* const> lists,
                cudaStream_t stream);
    // To be called when the device has finished the choice. False if lists had too little room: they have enough now,
    // and must be chosen again.
    [[nodiscard]] bool learn_numbers()
    {
        bool had_room = true;
        for (std::size_t k = 0; k < chosen_; ++k) {
            if (lists_[k] == nullptr) continue;
            ChosenParticles& list = *lists_[k];
            list.number = numbers_here_[k];
            if (list.number <= list.particles.capacity()) continue;
            list.particles.grow(list.number, purpose_);
            had_room = false;
        }
        return had_room;
    }

private:
    template <class Mark>
    void choose_from(const detail::ChoiceFrom& from, const Mark& mark, std::span<ChosenParticles* const> lists,
                     cudaStream_t stream);

    const char* purpose_;  // of the memory, for messages
    DeviceVector<std::uint32_t> numbers_;
    PinnedVector<std::uint32_t> numbers_here_;  // to which the device writes, too
    DeviceVector<std::uint32_t> counts_;        // of each list, of each warp
    std::vector<ChosenParticles*> lists_;
    std::size_t chosen_ = 0;
};

}  // namespace halfulp::cuda
