#include "validation/study.hpp"

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <fstream>
#include <iterator>
#include <map>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include <fmt/format.h>
#include <omp.h>

#include "core/app/floating_point.hpp"
#include "core/app/interrupts.hpp"
#include "core/app/progress.hpp"
#include "core/error.hpp"
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

// Jobs shared out between threads. Results are read by the one thread that made this.
class Pool {
public:
    Pool(const std::vector<Job>& jobs, const StudyCache& cache, std::vector<std::optional<Results>>& results)
        : jobs_(jobs), cache_(cache), results_(results)
    {
        for (std::size_t k = 0; k < jobs.size(); ++k) {
            if (!results[k]) waiting_.push_back(k);
        }
    }
    // No further job is begun; those that run come to their end.
    ~Pool() { finish(); }
    Pool(const Pool&) = delete;
    Pool& operator=(const Pool&) = delete;

    void start(unsigned threads)
    {
        const auto useful = static_cast<unsigned>(std::min<std::size_t>(threads, waiting_.size()));
        running_ = useful;
        for (unsigned k = 0; k < useful; ++k) threads_.emplace_back([this](std::stop_token stop) { work(stop); });
    }
    void stop()
    {
        for (auto& thread : threads_) thread.request_stop();
    }
    void finish()
    {
        stop();
        for (auto& thread : threads_) {
            if (thread.joinable()) thread.join();
        }
    }
    // Waits a moment, or until there is a result k. Is it there?
    bool wait_for(std::size_t k)
    {
        std::unique_lock lock(mutex_);
        changed_.wait_for(lock, std::chrono::milliseconds(100), [&] { return results_[k] || running_ == 0; });
        return results_[k].has_value();
    }
    // Has every thread ended?
    bool over()
    {
        const std::lock_guard lock(mutex_);
        return running_ == 0;
    }
    std::size_t done()
    {
        const std::lock_guard lock(mutex_);
        return done_;
    }
    [[nodiscard]] std::size_t to_do() const { return waiting_.size(); }
    // After finish().
    void rethrow() const
    {
        if (failure_) std::rethrow_exception(failure_);
    }

private:
    void work(const std::stop_token& stop)
    {
        const char* in_this_thread = " in a thread that measures";
        omp_set_num_threads(1);  // of this thread: setting a case up would take all of them
        while (!stop.stop_requested() && !interrupted()) {
            std::size_t k = 0;
            {
                const std::lock_guard lock(mutex_);
                if (failure_ || next_ == waiting_.size()) break;
                k = waiting_[next_++];
            }
            try {
                check_floating_point(in_this_thread);
                Results rows = jobs_[k].compute();
                check_floating_point(in_this_thread);  // nothing is kept of a mode that has changed on the way
                cache_.keep(jobs_[k].key, rows);
                const std::lock_guard lock(mutex_);
                results_[k] = std::move(rows);
                ++done_;
            } catch (...) {
                const std::lock_guard lock(mutex_);
                if (!failure_) failure_ = std::current_exception();
            }
            changed_.notify_all();
        }
        const std::lock_guard lock(mutex_);
        --running_;
        changed_.notify_all();
    }

    const std::vector<Job>& jobs_;
    const StudyCache& cache_;
    std::vector<std::optional<Results>>& results_;
    std::vector<std::size_t> waiting_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::size_t next_ = 0;
    std::size_t done_ = 0;
    unsigned running_ = 0;
    std::exception_ptr failure_;
    std::vector<std::jthread> threads_;
};

// Ctrl-C is noted while this lives.
struct Interrupts {
    Interrupts() { catch_interrupts(); }
    ~Interrupts() { release_interrupts(); }
    Interrupts(const Interrupts&) = delete;
    Interrupts& operator=(const Interrupts&) = delete;
};

}  // namespace

std::string parameter_key(const std::string& name, const std::vector<std::string>& parameters)
{
    std::string key = name + "\n";
    for (const std::string& parameter : parameters) key += parameter + "\n";
    return key;
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

std::vector<Results> Study::run(const std::vector<Job>& jobs,
                                const std::function<void(std::size_t, const Results&)>& each)
{
    refuse_repeated(name_, jobs);
    std::vector<std::optional<Results>> results(jobs.size());
    for (std::size_t k = 0; k < jobs.size(); ++k) {
        if (!fresh_ || own_.contains(jobs[k].key)) results[k] = cache_.find(jobs[k].key);
    }
    ProgressLine line(stderr);
    const Interrupts interrupts;
    Pool pool(jobs, cache_, results);
    // What this study measured itself a moment ago is no news.
    std::size_t kept = 0;
    for (std::size_t k = 0; k < jobs.size(); ++k) kept += results[k] && !own_.contains(jobs[k].key) ? 1 : 0;
    if (kept > 0) {
        fmt::print(stderr, "{}: {} of {} measurements are kept from before; --fresh takes them anew\n", name_, kept,
                   jobs.size());
    }
    for (const Job& job : jobs) own_.insert(job.key);
    pool.start(threads_);
    bool told = false;
    for (std::size_t k = 0; k < jobs.size(); ++k) {
        while (!pool.wait_for(k) && !pool.over()) {
            if (interrupted() && !std::exchange(told, true)) {
                line.clear();
                fmt::print(stderr, "{}: stopping when the measurements that run are done; Ctrl-C again: at once\n",
                           name_);
            }
            if (!line.due()) continue;
            const std::size_t done = pool.done();
            const double fraction = static_cast<double>(done) / static_cast<double>(pool.to_do());
            line.show(fmt::format("{}: {} of {} measurements, {}, {} left", name_, jobs.size() - pool.to_do() + done,
                                  jobs.size(), duration_text(line.elapsed()),
                                  time_left_text(line.elapsed(), fraction)));
        }
        // The last result may have come between the two questions above.
        if (!pool.wait_for(k)) break;
        line.clear();
        if (each) each(k, *results[k]);
    }
    line.clear();
    pool.finish();
    pool.rethrow();
    std::vector<Results> all;
    for (auto& result : results) {
        if (!result) {
            throw Error(
                code_of_interrupt(),
                fmt::format("{}: interrupted; {} of {} measurements are kept, and the same command goes on there",
                            name_, std::ranges::count_if(results, [](const auto& r) { return r.has_value(); }),
                            jobs.size()));
        }
    }
    for (auto& result : results) all.push_back(std::move(*result));
    return all;
}

}  // namespace halfulp
