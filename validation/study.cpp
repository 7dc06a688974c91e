#include "validation/study.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <fstream>
#include <future>
#include <iterator>
#include <map>
#include <numeric>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <omp.h>
#include <unistd.h>
#include <boost/asio/packaged_task.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/thread_pool.hpp>

#include "core/app/build_info.hpp"
#include "core/app/floating_point.hpp"
#include "core/app/interrupts.hpp"
#include "core/app/progress.hpp"
#include "core/error.hpp"
#include "core/output/checksum.hpp"
#include "core/particles/breakdown.hpp"
#include "core/setup/read_case.hpp"

namespace halfulp {

namespace {

// Asked before anything sets it: OMP_NUM_THREADS where that is set, otherwise what the machine has.
const int threads_offered = omp_get_max_threads();

void refuse_repeated(const std::string& name, const std::vector<Job>& jobs)
{
    std::map<std::string_view, std::size_t> first;
    for (std::size_t k = 0; k < jobs.size(); ++k) {
        const auto [found, fresh] = first.emplace(jobs[k].key, k);
        if (!fresh) {
            throw input_error(
                fmt::format("{}: measurements {} and {} of {} are the same; give every value of an option once", name,
                            found->second + 1, k + 1, jobs.size()));
        }
    }
}

Result carry_out(const Job& job, const StudyCache& cache)
{
    const char* in_this_thread = " in a thread that measures";
    omp_set_num_threads(1);  // of this thread: setting a case up would take all of them
    check_floating_point(in_this_thread);
    Result result;
    try {
        result = job.compute();
    } catch (const SimulationBroke& broke) {
        throw Error(ExitCode::stopped, fmt::format("a simulation of the measurement {} broke down: {}.",
                                                   job.key.substr(0, job.key.find('\n')), broke.breakdown.what));
    }
    check_floating_point(in_this_thread);  // nothing is kept of a mode that has changed on the way
    cache.keep(job.key, result);
    return result;
}

}  // namespace

const std::string& program_identity()
{
    static const std::string identity =
        fmt::format("sources {}, {} {} {}", build::sources, build::compiler, build::type, build::flags);
    return identity;
}

std::string digest_text(const std::string& bytes)
{
    Checksum checksum;
    checksum.absorb(bytes.data(), bytes.size());
    return checksum.value().text();
}

StudyCache::StudyCache(std::filesystem::path folder, std::string program)
    : folder_(std::move(folder)), program_(std::move(program))
{
}

std::string StudyCache::head_of(const std::string& key) const
{
    const std::string whole = program_ + "\n" + key;
    return fmt::format("halfulp study 3\n{} bytes\n{}", whole.size(), whole);
}

std::filesystem::path StudyCache::file_of(const std::string& key) const
{
    return folder_ / (digest_text(program_ + "\n" + key) + ".rows");
}

// A file is its head, the result and the digest of both.
std::optional<Result> StudyCache::find(const std::string& key) const
{
    constexpr std::size_t digest_length = 32;
    std::ifstream file(file_of(key), std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};
    const std::string head = head_of(key);
    if (!file || bytes.size() < head.size() + digest_length || !bytes.starts_with(head)) return std::nullopt;
    const std::size_t end = bytes.size() - digest_length;
    if (!bytes.ends_with(digest_text(bytes.substr(0, end)))) return std::nullopt;
    return Result(bytes.substr(head.size(), end - head.size()));
}

void StudyCache::keep(const std::string& key, const Result& result) const
{
    static std::atomic<unsigned> count = 0;
    const std::filesystem::path path = file_of(key);
    std::filesystem::path unfinished = path;
    unfinished += fmt::format(".{}.{}", getpid(), count++);
    std::error_code failed;
    std::filesystem::create_directories(folder_, failed);
    std::ofstream file(unfinished, std::ios::binary);
    const std::string bytes = head_of(key) + result.bytes();
    file << bytes << digest_text(bytes);
    file.close();
    if (file) std::filesystem::rename(unfinished, path, failed);
    if (!file || failed) {
        std::error_code ignored;
        std::filesystem::remove(unfinished, ignored);
        throw output_error(
            fmt::format("{}: the result could not be kept; is the disk full, or may nothing be written "
                        "there? Choose another folder with --output",
                        path.string()));
    }
}

std::string parameter_key(const std::string& name, const std::vector<std::string>& parameters)
{
    return fmt::format("{}\n{}\n", name, fmt::join(parameters, "\n"));
}

std::string job_key(const std::string& name, const Case& c, const std::vector<std::string>& parameters)
{
    std::string key = parameter_key(name, parameters);
    const auto add_file = [&](const std::string& name) {
        std::ifstream file(c.path.parent_path() / name, std::ios::binary);
        key += fmt::format("{}: {}\n", name, digest_text({std::istreambuf_iterator<char>(file), {}}));
    };
    const auto add_signal = [&](const Signal& signal) {
        if (signal.form == Signal::Form::table) add_file(signal.table.file);
    };
    for (const Shape& shape : c.shapes) {
        if (shape.form == Shape::Form::mesh) add_file(shape.mesh.file);
    }
    for (const Motion& motion : c.motions) {
        if (motion.rotation) add_signal(motion.rotation->angle);
        if (motion.translation) add_signal(motion.translation->distance);
    }
    return key + case_as_toml(c);
}

Study::Study(std::string name, const StudyOptions& options)
    : name_(std::move(name)), cache_(options.folder / "cache"), fresh_(options.fresh),
      threads_(static_cast<unsigned>(options.threads > 0 ? options.threads : threads_offered))
{
}

std::optional<Result> Study::kept(const Job& job) const
{
    return fresh_ && !own_.contains(job.key) ? std::nullopt : cache_.find(job.key);
}

void Study::keep(const Job& job, const Result& result)
{
    check_floating_point(" in a thread that measures");
    cache_.keep(job.key, result);
    own_.insert(job.key);
}

std::vector<Result> Study::run(const std::vector<Job>& jobs,
                               const std::function<void(std::size_t, const Result&)>& each)
{
    refuse_repeated(name_, jobs);
    std::vector<std::optional<Result>> results(jobs.size());
    std::size_t from_before = 0;
    std::size_t to_do = jobs.size();
    for (std::size_t k = 0; k < jobs.size(); ++k) {
        results[k] = kept(jobs[k]);
        if (!results[k]) continue;
        --to_do;
        // What this study measured itself a moment ago is no news.
        if (!own_.contains(jobs[k].key)) ++from_before;
    }
    if (from_before > 0) {
        complain(fmt::format("{}: {} of {} measurements are kept from before; --fresh takes them anew", name_,
                             from_before, jobs.size()));
    }
    for (const Job& job : jobs) own_.insert(job.key);

    ProgressLine line(stderr);
    const InterruptsCaught interrupts;
    std::atomic<std::size_t> done = 0;
    std::atomic<bool> failed = false;
    // Nothing for a job that is not begun, since another has failed or Ctrl-C was pressed.
    std::vector<std::future<std::optional<Result>>> measured(jobs.size());
    boost::asio::thread_pool pool(std::clamp<std::size_t>(to_do, 1, threads_));
    std::vector<std::size_t> order(jobs.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, std::ranges::greater{}, [&](std::size_t k) { return jobs[k].cost; });
    for (const std::size_t k : order) {
        if (results[k]) continue;
        measured[k] = boost::asio::post(pool, std::packaged_task<std::optional<Result>()>([&, k] {
                                            if (failed || interrupted()) return std::optional<Result>();
                                            try {
                                                std::optional<Result> result = carry_out(jobs[k], cache_);
                                                ++done;
                                                return result;
                                            } catch (...) {
                                                failed = true;
                                                throw;
                                            }
                                        }));
    }
    bool told = false;  // that it stops
    const auto wait_for = [&](std::size_t k) {
        while (measured[k].wait_for(std::chrono::milliseconds(100)) != std::future_status::ready) {
            if (interrupted() && !std::exchange(told, true)) {
                line.clear();
                complain(
                    fmt::format("{}: stopping when the measurements that run are done; Ctrl-C again: at once", name_));
            }
            if (!line.due()) continue;
            const double fraction = static_cast<double>(done) / static_cast<double>(to_do);
            line.show(fmt::format("{}: {} of {} measurements, {}, {} left", name_, jobs.size() - to_do + done,
                                  jobs.size(), duration_text(line.elapsed()),
                                  time_left_text(line.elapsed(), fraction)));
        }
        line.clear();
        return measured[k].get();
    };
    for (std::size_t k = 0; k < jobs.size(); ++k) {
        if (!results[k]) results[k] = wait_for(k);
        if (!results[k]) break;
        if (each) each(k, *results[k]);
    }
    pool.join();
    for (std::size_t k = 0; k < jobs.size(); ++k) {
        if (measured[k].valid()) results[k] = measured[k].get();
    }
    std::vector<Result> all;
    for (auto& result : results) {
        if (!result) {
            throw Error(
                code_of_interrupt(),
                fmt::format("{}: interrupted; {} of {} measurements are kept, and the same command goes on there",
                            name_, std::ranges::count_if(results, [](const auto& r) { return r.has_value(); }),
                            jobs.size()));
        }
        all.push_back(std::move(*result));
    }
    return all;
}

}  // namespace halfulp
