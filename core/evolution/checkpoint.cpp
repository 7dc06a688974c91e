#include "core/evolution/checkpoint.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>
#include <iterator>
#include <limits>
#include <optional>
#include <span>
#include <string_view>
#include <system_error>
#include <type_traits>
#include <utility>

#include <fmt/format.h>

#include "core/error.hpp"
#include "core/output/block_file.hpp"
#include "core/output/posix_file.hpp"
#include "core/output/run_folder.hpp"
#include "core/results/state_hash.hpp"
#include "core/setup/for_each_particle.hpp"

namespace halfulp {

namespace {

namespace fs = std::filesystem;

constexpr int generations = 2;

fs::path path_of(const fs::path& folder, std::uint64_t generation)
{
    return folder / fmt::format("checkpoint.{}", generation);
}

struct ScalarsOfRun {
    std::uint64_t number;
    StateHash problem;
    std::uint64_t outputs;
    std::uint64_t ledger_rows;
    double wall_seconds;
    double next_step;
    double last_step;
    double initial_energy;
    std::uint64_t rebuilds;
};

template <class T>
Block block_of(const std::string& name, const T& value)
{
    static_assert(std::is_trivially_copyable_v<T>);
    return {name, sizeof(T), [value](std::uint64_t first, std::uint64_t count) {
                return std::as_bytes(std::span(&value, 1)).subspan(first, count);
            }};
}

Block block_of(const std::string& name, const std::vector<std::uint64_t>& values)
{
    return {name, values.size() * sizeof(std::uint64_t), [values](std::uint64_t first, std::uint64_t count) {
                return std::as_bytes(std::span(values)).subspan(first, count);
            }};
}

const Block& block_named(const std::vector<Block>& blocks, std::string_view name, const fs::path& path)
{
    const auto found = std::find_if(blocks.begin(), blocks.end(), [&](const Block& one) { return one.name == name; });
    if (found == blocks.end()) throw input_error("{} is damaged: it has no block \"{}\".", shown(path), name);
    return *found;
}

template <class T>
T value_of(const std::vector<Block>& blocks, std::string_view name, const fs::path& path)
{
    const Block& block = block_named(blocks, name, path);
    if (block.size != sizeof(T))
        throw input_error("{} is damaged: its block \"{}\" has another size.", shown(path), name);
    T value;
    std::memcpy(&value, block.take().data(), sizeof(T));
    return value;
}

// The clock as its bytes are, which in a file may be anything.
struct SavedClock {
    ExactSum::Digits digits;
    std::int32_t additions;
    std::uint32_t finite;  // its first byte
    std::uint64_t steps;
};
static_assert(sizeof(SavedClock) == sizeof(Clock));

Clock clock_of(const std::vector<Block>& blocks, const fs::path& path)
{
    const auto saved = value_of<SavedClock>(blocks, "clock", path);
    constexpr std::int64_t largest_digit = std::int64_t{1} << 62;
    const auto fits = [&](std::int64_t digit) { return digit > -largest_digit && digit < largest_digit; };
    const bool whole = (saved.finite & 0xffU) == 1 && std::ranges::all_of(saved.digits, fits);
    const Clock clock(ExactSum(whole ? saved.digits : ExactSum::Digits{}, whole), saved.steps);
    const double time = clock.time();
    if (!(time >= 0 && time <= std::numeric_limits<double>::max()) || (time > 0) != (saved.steps > 0))
        throw input_error("{} is damaged: its block \"clock\" shows no time.", shown(path));
    return clock;
}

const std::string buffer_prefix = "particles/";

Checkpoint read_generation(const fs::path& path)
{
    std::vector<Block> blocks = read_blocks(path);
    const auto numbers = value_of<ScalarsOfRun>(blocks, "numbers", path);
    // The first has the number 1; the first rebuild is that of the start.
    constexpr std::uint64_t most = std::uint64_t{1} << 62U;
    if (numbers.number - 1 >= most || numbers.rebuilds - 1 >= most || !(numbers.wall_seconds >= 0) ||
        std::isinf(numbers.wall_seconds))
        throw input_error("{} is damaged: its block \"numbers\" has impossible ones.", shown(path));
    Checkpoint checkpoint{
        .number = numbers.number,
        .problem = numbers.problem,
        .length = {.outputs = numbers.outputs, .ledger_rows = numbers.ledger_rows, .samples = {}},
        .wall_seconds = numbers.wall_seconds,
        .simulation = {.clock = clock_of(blocks, path),
                       .next_step = numbers.next_step,
                       .last_step = numbers.last_step,
                       .initial_energy = numbers.initial_energy,
                       .particles = {.rebuilds = numbers.rebuilds, .buffers = {}, .file = shown(path)}}};
    const Block& samples = block_named(blocks, "samples", path);
    if (samples.size % sizeof(std::uint64_t) != 0)
        throw input_error("{} is damaged: its block \"samples\" has another size.", shown(path));
    checkpoint.length.samples.resize(samples.size / sizeof(std::uint64_t));
    if (samples.size > 0)
        std::memcpy(checkpoint.length.samples.data(), samples.take().data(),
                    checkpoint.length.samples.size() * sizeof(std::uint64_t));
    for (Block& block : blocks) {
        if (block.name.starts_with(buffer_prefix))
            checkpoint.simulation.particles.buffers.push_back(
                {block.name.substr(buffer_prefix.size()), block.size, std::move(block.read)});
    }
    return checkpoint;
}

class Fingerprint {
public:
    template <class T>
    void absorb(const T& value)
    {
        static_assert(std::is_trivially_copyable_v<T> && sizeof(T) % 4 == 0);
        std::array<std::uint32_t, sizeof(T) / 4> words;
        std::memcpy(words.data(), &value, sizeof(T));
        for (const std::uint32_t word : words) digest_.absorb(word);
    }
    void absorb_file(const fs::path& path)
    {
        std::ifstream file(path, std::ios::binary);
        const std::string text{std::istreambuf_iterator<char>(file), {}};
        absorb(static_cast<std::uint64_t>(text.size()));
        for (const char one : text) digest_.absorb(static_cast<unsigned char>(one));
    }
    void absorb_particles(const Problem& problem, std::size_t first, std::size_t end)
    {
        // By all threads, unless they are at other pieces, as computing one may take longer than absorbing it.
        constexpr std::size_t most = std::size_t{1} << 20U;
        std::vector<InitialParticle> particles;
        for (; first < end; first += particles.size()) {
            particles.resize(std::min(most, end - first));
            for_each_particle(particles.size(), [&](std::size_t k) { particles[k] = problem.particles[first + k]; });
            for (std::size_t k = 0; k < particles.size(); ++k) {
                const InitialParticle& particle = particles[k];
                const auto i = static_cast<std::int32_t>(first + k);
                if (particle.id >= 0 && particle.id != i) absorb(particle.id);
                absorb(particle.cell);
                absorb(particle.offset);
                absorb(particle.velocity);
                absorb(particle.density);
                absorb(static_cast<std::uint32_t>(particle.kind));
                absorb(particle.motion);
            }
        }
    }
    [[nodiscard]] StateHash finish() const
    {
        const auto words = digest_.finish();
        return {{words.first, words.second}};
    }

private:
    ParticleDigest digest_;
};

}  // namespace

StateHash fingerprint_of(const Problem& problem)
{
    Fingerprint fingerprint;
    fingerprint.absorb(problem.parameters);
    fingerprint.absorb(problem.fixed_step);
    // One after another takes long for many particles: those after the first four million are absorbed piece by piece
    // apart, on all threads.
    constexpr std::size_t in_a_row = std::size_t{1} << 22U;
    constexpr std::size_t piece = std::size_t{1} << 18U;
    const std::size_t count = problem.particles.size();
    const std::size_t together = std::min(in_a_row, count);
    fingerprint.absorb_particles(problem, 0, together);
    std::vector<StateHash> more((count - together + piece - 1) / piece);
    for_each_in_blocks(more.size(), 1, true, [&](std::size_t k) {
        Fingerprint part;
        const std::size_t first = together + k * piece;
        part.absorb_particles(problem, first, std::min(first + piece, count));
        more[k] = part.finish();
    });
    for (const StateHash& part : more) fingerprint.absorb(part.words);
    for (const MirrorImage& image : problem.mirror_images) fingerprint.absorb(image.from_particle);
    for (const std::string& file : problem.source.files()) fingerprint.absorb_file(problem.source.path_of(file));
    return fingerprint.finish();
}

void write_checkpoint(const fs::path& folder, const Checkpoint& checkpoint)
{
    const SimulationState& state = checkpoint.simulation;
    std::vector<Block> blocks{block_of("numbers", ScalarsOfRun{.number = checkpoint.number,
                                                               .problem = checkpoint.problem,
                                                               .outputs = checkpoint.length.outputs,
                                                               .ledger_rows = checkpoint.length.ledger_rows,
                                                               .wall_seconds = checkpoint.wall_seconds,
                                                               .next_step = state.next_step,
                                                               .last_step = state.last_step,
                                                               .initial_energy = state.initial_energy,
                                                               .rebuilds = state.particles.rebuilds}),
                              block_of("clock", state.clock), block_of("samples", checkpoint.length.samples)};
    for (const SavedBuffer& buffer : state.particles.buffers)
        blocks.push_back({buffer_prefix + buffer.name, buffer.size, buffer.read});
    const fs::path fresh = folder / "checkpoint.new";
    write_blocks(fresh, blocks);
    const fs::path path = path_of(folder, checkpoint.number % generations);
    std::error_code error;
    fs::rename(fresh, path, error);
    if (error) throw output_error("cannot write {}: {}.", shown(path), error.message());
    sync_folder(folder);
}

std::optional<Checkpoint> read_checkpoint(const fs::path& folder, std::vector<std::string>& warnings)
{
    std::optional<Checkpoint> newest;
    for (std::uint64_t k = 0; k < generations; ++k) {
        std::error_code error;
        if (!fs::exists(path_of(folder, k), error)) continue;
        try {
            Checkpoint one = read_generation(path_of(folder, k));
            if (!newest || one.number > newest->number) newest = std::move(one);
        } catch (const Error& damaged) {
            warnings.emplace_back(damaged.what());
        }
    }
    return newest;
}

void remove_checkpoints(const fs::path& folder)
{
    std::error_code error;
    for (std::uint64_t k = 0; k < generations; ++k) {
        if (holds_blocks(path_of(folder, k))) fs::remove(path_of(folder, k), error);
    }
    fs::remove(folder / "checkpoint.new", error);
}

}  // namespace halfulp
