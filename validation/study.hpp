// Studies: many independent measurements, carried out side by side on all processors; their results as bytes, each kept
// on disk as soon as it is there, so that an interrupted study continues.
#pragma once

#include <cstddef>
#include <cstring>
#include <filesystem>
#include <functional>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/backends/cpu/cpu_backend.hpp"
#include "core/setup/case.hpp"

namespace halfulp {

// The result of a measurement. Holds plain data, strings and vectors, and structs of these that list their members:
//   static auto members(auto& self) { return std::tie(self.a, self.b); }
// Every bit of a number is kept, NaNs and infinities included.
class Result {
public:
    Result() = default;
    explicit Result(std::string bytes) : bytes_(std::move(bytes)) {}
    template <class T>
    static Result of(const T& value)
    {
        Result result;
        pack(result.bytes_, value);
        return result;
    }
    // T: the type that the result was made of.
    template <class T>
    [[nodiscard]] T as() const
    {
        T value{};
        std::string_view rest = bytes_;
        unpack(rest, value);
        if (!rest.empty()) throw std::logic_error("a result is read as another type than it was made of");
        return value;
    }
    [[nodiscard]] const std::string& bytes() const { return bytes_; }

private:
    template <class T>
    static constexpr bool lists_members = requires(T& value)
    {
        T::members(value);
    };

    template <class T>
    static void pack(std::string& bytes, const T& value)
    {
        if constexpr (std::is_trivially_copyable_v<T>) {
            bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
        } else if constexpr (lists_members<T>) {
            std::apply([&](const auto&... member) { (pack(bytes, member), ...); }, T::members(value));
        } else {
            pack(bytes, value.size());
            for (const auto& element : value) pack(bytes, element);
        }
    }
    template <class T>
    static void unpack(std::string_view& bytes, T& value)
    {
        if constexpr (std::is_trivially_copyable_v<T>) {
            if (bytes.size() < sizeof value) throw std::logic_error("a result is shorter than its type");
            std::memcpy(static_cast<void*>(&value), bytes.data(), sizeof value);
            bytes.remove_prefix(sizeof value);
        } else if constexpr (lists_members<T>) {
            std::apply([&](auto&... member) { (unpack(bytes, member), ...); }, T::members(value));
        } else {
            std::size_t size = 0;
            unpack(bytes, size);
            value.resize(size);
            for (auto& element : value) unpack(bytes, element);
        }
    }

    std::string bytes_;
};

// What computed a result: the digest of the sources, compiler and flags. Not the commit: results outlive a change of
// documents.
const std::string& program_identity();

// 32 hexadecimal digits of any bytes. Not for use against an adversary.
std::string digest_text(const std::string& bytes);

// A file for each key. May be used by several threads.
class StudyCache {
public:
    // The folder is made by the first keep().
    explicit StudyCache(std::filesystem::path folder, std::string program = program_identity());

    // Nothing if there is none, if the file is damaged, or if it is another key's of the same digest.
    [[nodiscard]] std::optional<Result> find(const std::string& key) const;
    // Written under another name first, so that no reader finds a part of it. Throws an Error if it cannot be written.
    void keep(const std::string& key, const Result& result) const;
    [[nodiscard]] std::filesystem::path file_of(const std::string& key) const;

private:
    // What a file begins with: the format, the program and the key.
    [[nodiscard]] std::string head_of(const std::string& key) const;

    std::filesystem::path folder_;
    std::string program_;
};

// How much of an experiment is carried out: quick, a minute or less in all; full, everything there is, up to hours.
enum class Scale { quick, usual, full };

// The options that every experiment has.
struct StudyOptions {
    std::filesystem::path folder;  // for tables, figures, the report and the cache
    Scale scale = Scale::usual;
    bool fresh = false;  // ignore results kept by earlier studies
    int threads = 0;     // measurements at a time; 0: OMP_NUM_THREADS or as many as the machine offers

    // The value for the scale, e.g. a list of spacings.
    template <class T>
    [[nodiscard]] T choose(T quick, T usual, T full) const
    {
        return scale == Scale::quick ? quick : scale == Scale::full ? full : usual;
    }
};

// A measurement. Its result must follow from the key and the program alone: no clock, no machine, no random numbers but
// from a seed in the key.
struct Job {
    template <class Compute>
    Job(std::string key, Compute compute, double cost = 0)
        : key(std::move(key)), compute([compute = std::move(compute)] { return Result::of(compute()); }), cost(cost)
    {
    }

    std::string key;  // everything that it depends on; job_key makes it
    std::function<Result()> compute;
    double cost = 0;  // in any unit: the dearest begin first, so that none is left over in the end
};

// Jobs run side by side, so a simulation in one takes a single thread. That changes no bit of it.
inline constexpr CpuOptions one_thread{.threads = 1};

// The key of a measurement on a case: its name, the completed case, the meshes and tables that the case reads, and
// parameters that are not in the case, "NAME=VALUE" each. Two jobs that differ must differ in one of these.
std::string job_key(const std::string& name, const Case& c, const std::vector<std::string>& parameters = {});
// Of one without a case.
std::string parameter_key(const std::string& name, const std::vector<std::string>& parameters);

// Jobs that give a Value, and what each is of: a case's name and a spacing, say.
template <class Of, class Value>
class Measurements {
public:
    // The rest as for a Job.
    template <class Compute>
    void add(Of of, std::string key, Compute compute, double cost = 0)
    {
        static_assert(std::is_same_v<std::invoke_result_t<Compute&>, Value>);
        of_.push_back(std::move(of));
        jobs_.emplace_back(std::move(key), std::move(compute), cost);
    }

private:
    friend class Study;
    std::vector<Of> of_;
    std::vector<Job> jobs_;
};

class Study {
public:
    // Results are kept in FOLDER/cache. name: the experiment's, for its progress line.
    Study(std::string name, const StudyOptions& options);

    // The results in the order of the jobs. `each` is called on this thread with every index in ascending order, as
    // soon as its result and all before are there. What a job throws is thrown here, after those that ran beside it
    // have ended and were kept; Ctrl-C throws an Error, exit code `interrupted`, likewise.
    std::vector<Result> run(const std::vector<Job>& jobs,
                            const std::function<void(std::size_t, const Result&)>& each = {});
    // each: given what the measurement is of, and its value.
    template <class Of, class Value, class Each>
    void run(const Measurements<Of, Value>& all, const Each& each)
    {
        run(all.jobs_, [&](std::size_t k, const Result& result) { each(all.of_[k], result.as<Value>()); });
    }

    // Jobs that go faster together: of `count` from `first` on, those whose results are not kept are carried out by one
    // call of compute, which is given their places from `first` and returns what each of their own would. Then run()
    // has them.
    template <class Compute>
    void take_together(const std::vector<Job>& jobs, std::size_t first, std::size_t count, const Compute& compute)
    {
        std::vector<std::size_t> places;
        for (std::size_t k = 0; k < count; ++k)
            if (!kept(jobs[first + k])) places.push_back(k);
        if (places.empty()) return;
        const auto values = compute(std::as_const(places));
        for (std::size_t i = 0; i < places.size(); ++i) keep(jobs[first + places[i]], Result::of(values[i]));
    }

private:
    // The result of a job that need not be carried out.
    [[nodiscard]] std::optional<Result> kept(const Job& job) const;
    void keep(const Job& job, const Result& result);

    std::string name_;
    StudyCache cache_;
    bool fresh_;
    std::set<std::string> own_;  // keys of the jobs that were run here
    unsigned threads_;
};

}  // namespace halfulp
