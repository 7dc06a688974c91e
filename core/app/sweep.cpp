#include "core/app/sweep.hpp"

#include <algorithm>
#include <new>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <omp.h>

#include "core/app/progress.hpp"
#include "core/app/provenance.hpp"
#include "core/app/side_by_side.hpp"
#include "core/backends/make_backend.hpp"
#include "core/error.hpp"
#include "core/output/posix_file.hpp"
#include "core/output/sealed_file.hpp"
#include "core/output/text_files.hpp"
#include "core/setup/problem.hpp"
#include "core/setup/read_case.hpp"

namespace halfulp {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_runs = 100'000;

// Commas within brackets or quotation marks belong to a value. As in TOML a backslash keeps a double quotation mark
// from ending its text. A single one begins a text only where a value can begin: in a bare word it is an apostrophe.
std::vector<std::string> split_values(std::string_view text)
{
    std::vector<std::string> values(1);
    int depth = 0;
    char quote = 0;        // that ends the text; 0 outside of one
    bool escaped = false;  // what comes next in a text
    for (const char c : text) {
        if (quote != 0) {
            if (c == quote && !escaped) quote = 0;
            escaped = quote == '"' && c == '\\' && !escaped;
            values.back() += c;
            continue;
        }
        const bool begins = depth > 0 || values.back().find_first_not_of(" \t") == std::string::npos;
        if (c == '"' || (c == '\'' && begins)) quote = c;
        if (c == '[' || c == '{') ++depth;
        if (c == ']' || c == '}') --depth;
        if (c == ',' && depth == 0) values.emplace_back();
        else values.back() += c;
    }
    return values;
}

SweepAxis axis_of(const std::string& word)
{
    const std::size_t equals = word.find('=');
    SweepAxis axis{word.substr(0, equals), {}};
    axis.key.erase(axis.key.find_last_not_of(" \t") + 1);
    if (equals != std::string::npos) axis.values = split_values(std::string_view(word).substr(equals + 1));
    const auto is_empty = [](const std::string& value) { return value.empty(); };
    if (axis.key.empty() || axis.values.empty() || std::any_of(axis.values.begin(), axis.values.end(), is_empty)) {
        throw input_error(
            "--vary {}: give a key and its values, separated by commas, as in --vary time.cfl=0.1,0.2,0.4.",
            shortened(word));
    }
    return axis;
}

// The table would have two columns of one name, the ledger's and that of a whole table of the case.
void refuse_columns_of_the_ledger(const std::vector<SweepAxis>& axes)
{
    for (const SweepAxis& axis : axes) {
        if (axis.key != "time" && axis.key != "front") continue;
        throw input_error(
            "--vary {0}: sweep.csv has a column {0} of the ledger already; vary keys inside of {0}, as in --vary "
            "{0}.KEY=VALUE,VALUE.",
            axis.key);
    }
}

// Of two values of one key only the last would count.
void refuse_one_key_twice(const std::vector<SweepAxis>& axes)
{
    for (std::size_t b = 1; b < axes.size(); ++b) {
        for (std::size_t a = 0; a < b; ++a) {
            const std::string& first = axes[a].key;
            const std::string& second = axes[b].key;
            if (first == second) {
                throw input_error("--vary {0} is given twice; give all its values in one, as in --vary {0}={1},{2}.",
                                  first, axes[a].values.front(), axes[b].values.front());
            }
            if (first.starts_with(second + '.')) {
                throw input_error(
                    "--vary {1} would set {0}, which is varied before it, anew; vary {1} first, or one of them.", first,
                    second);
            }
        }
    }
}

std::vector<SweepMember> members_of(const std::vector<SweepAxis>& axes)
{
    std::size_t count = 1;
    for (const SweepAxis& axis : axes) {
        count *= axis.values.size();
        if (count > most_runs) throw input_error("--vary makes more than {} runs; give fewer values.", most_runs);
    }
    const std::size_t digits = std::max<std::size_t>(4, fmt::formatted_size("{}", count - 1));
    std::vector<SweepMember> members(count);
    for (std::size_t k = 0; k < count; ++k) {
        members[k].name = fmt::format("{:0{}}", k, digits);
        std::size_t left = k;
        members[k].overrides.resize(axes.size());
        for (std::size_t a = axes.size(); a-- > 0;) {
            const SweepAxis& axis = axes[a];
            members[k].overrides[a] = axis.key + "=" + axis.values[left % axis.values.size()];
            left /= axis.values.size();
        }
    }
    return members;
}

// A cell of the table: with quotation marks where it needs some.
std::string cell_of(const std::string& text)
{
    if (!text.empty() && text.find_first_of(",\"\n\r") == std::string::npos) return text;
    std::string all = "\"";
    for (const char c : text) all += c == '"' ? std::string("\"\"") : std::string(1, c);
    return all + '"';
}

}  // namespace

Sweep::Sweep(SweepArguments of) : arguments(std::move(of)), folder(arguments.folder)
{
    const fs::path file = find_case(arguments.source.name_or_path);
    std::error_code error;
    if (fs::exists(file, error) && !fs::is_regular_file(file, error) && !fs::is_directory(file, error)) {
        throw input_error("a sweep reads its case for every run, but {} can be read once only; give a file",
                          shown(file));
    }
    for (const std::string& word : arguments.varied) axes.push_back(axis_of(word));
    refuse_one_key_twice(axes);
    refuse_columns_of_the_ledger(axes);
    members = members_of(axes);
}

bool Sweep::on_device() const { return backend_kind_from(arguments.backend) == BackendKind::cuda; }

std::vector<std::string> Sweep::overrides_of(const SweepMember& member) const
{
    std::vector<std::string> all = arguments.source.overrides;
    all.insert(all.end(), member.overrides.begin(), member.overrides.end());
    return all;
}

Case Sweep::case_of(const SweepMember& member) const
{
    CaseOptions source = arguments.source;
    source.overrides = overrides_of(member);
    try {
        return source.read();
    } catch (const Error& error) {
        Error named = error;
        for (const std::string& one : member.overrides) named = as_given(named, one, "--vary " + one);
        throw named;
    }
}

fs::path Sweep::log_of(const SweepMember& member) const { return folder / (member.name + ".log"); }

fs::path Sweep::held(const fs::path& file) const { return held_.path() / file.filename(); }

std::size_t Sweep::count_done() const
{
    return static_cast<std::size_t>(std::ranges::count_if(members, [](const SweepMember& one) { return one.done; }));
}

void Sweep::hold_if_there()
{
    std::error_code error;
    if (!fs::is_directory(folder, error)) return;
    held_ = RunFolder::existing(folder);
    refuse_foreign();
}

void Sweep::hold()
{
    if (held_) return;
    held_ = RunFolder(folder);
    refuse_foreign();
    std::error_code error;
    // By another sweep, since its runs were looked at.
    if (!fs::is_empty(held_.path(), error)) look_at_members();
}

void Sweep::require_folder() const
{
    if (!held_ || held_.is(folder)) return;
    throw output_error(
        "the folder {} was moved to {} while its sweep went on: move it back; the same command continues it.",
        folder.string(), shown(held_.path()));
}

void Sweep::refuse_foreign() const
{
    std::error_code error;
    const auto is_there = [&](const fs::path& file) {
        return fs::symlink_status(file, error).type() != fs::file_type::not_found;
    };
    const auto refuse = [](const fs::path& file) {
        throw output_error(
            "{} is no file of a sweep of halfulp, but one in this folder would replace it: move it away, or choose "
            "another folder.",
            file.string());
    };
    // A link is of somebody else, wherever it leads.
    const auto is_file = [&](const fs::path& file) {
        return fs::symlink_status(file, error).type() == fs::file_type::regular;
    };
    const fs::path table = folder / sweep_table;
    const bool ours = is_file(table) && is_sweep_table(table);
    if (is_there(table) && !ours) refuse(table);
    const fs::path fresh = partial_name(table);
    if (is_there(fresh) && !(is_file(fresh) && is_begun(fresh, sweep_table_beginning))) refuse(fresh);
    for (const SweepMember& member : members) {
        if (fs::is_symlink(folder_of(member), error)) throw is_a_link(folder_of(member));
        // What a run says may be anything.
        const fs::path log = log_of(member);
        if (!is_there(log)) continue;
        const bool of_a_run = ours || fs::exists(folder_of(member) / "run.h5", error);
        if (!is_file(log) || !(of_a_run || fs::is_empty(log, error))) refuse(log);
    }
}

void Sweep::look_at_members()
{
    // Runs behind the last one: the table would no longer have them.
    const std::string next = fmt::format("{:0{}}", members.size(), members.front().name.size());
    std::error_code none;
    if (fs::exists(folder / next / "run.h5", none)) {
        throw input_error(
            "{} holds a run of a sweep with more values than the {} runs of this one: give all values that it had, or "
            "choose another folder.",
            (folder / next).string(), members.size());
    }
    side_by_side(members.size(), [this](std::size_t k) {
        SweepMember& member = members[k];
        const Case c = case_of(member);
        std::error_code error;
        if (!fs::exists(folder_of(member) / "run.h5", error)) return;
        const RunReader reader(folder_of(member));
        if (reader.content().case_completed != case_as_toml(c)) {
            throw input_error("{} holds a run of another case or of other values; choose another folder.",
                              folder_of(member).string());
        }
        for (const auto& [name, input] : reader.content().inputs) {
            if (checksum_of_file(c.path_of(name)) == input.checksum) continue;
            throw input_error(
                "{} holds a run with another {} than that of now: choose another folder, or put the file back as it "
                "was.",
                folder_of(member).string(), name);
        }
        member.state = state_of(reader);
        member.done = reader.has_ended();
        member.resumed = !member.done;
        if (const std::string lost = reader.lost_output(); member.done && !lost.empty()) {
            member.state.text = failed_text(lost);
            member.failure = fmt::format(
                "{} was removed or changed by another program since its run has written it; remove {} and give the "
                "same command, which runs it again.",
                one_line(lost), for_shell(folder_of(member).string()));
        }
        member.of_other_sources = !is_of_these_sources(reader.content().provenance);
    });
}

void Sweep::check_set_ups() const
{
    const auto check = [this](const SweepMember& member) {
        if (member.done || member.resumed) return;
        try {
            prepare(case_of(member));
        } catch (const Error& e) {
            if (e.code() != ExitCode::bad_input) return;
            throw input_error("{} That is run {}, with {}.", e.what(), member.name, fmt::join(member.overrides, ", "));
        } catch (const std::bad_alloc&) {
            return;
        }
    };
    // As many at a time as will be run: each takes memory.
    const auto at_once = static_cast<std::size_t>(arguments.jobs.value_or(omp_get_num_procs()));
    ProgressLine line(stdout);
    for (std::size_t first = 0; first < members.size(); first += at_once) {
        side_by_side(std::min(at_once, members.size() - first), [&](std::size_t k) { check(members[first + k]); });
        const std::size_t done = std::min(first + at_once, members.size());
        if (line.due()) {
            line.show(fmt::format(
                "set-ups  {} of {}  {} left", done, members.size(),
                time_left_text(line.elapsed(), static_cast<double>(done) / static_cast<double>(members.size()))));
        }
    }
    line.clear();
}

void Sweep::fail(SweepMember& member, const std::string& why) const
{
    member.state.text = failed_text(log_of(member));
    require_folder();
    replace_file(held(log_of(member)), why + '\n');
}

std::string failed_text(const fs::path& file) { return fmt::format("failed: {}", one_line(file.string())); }

StateOfMember state_of(const RunReader& reader)
{
    StateOfMember state{.text = reader.entry("end_state"),
                        .hash = reader.outputs().empty() ? "" : reader.outputs().back().hash,
                        .wall_seconds = reader.entry("wall_seconds"),
                        .last = {}};
    const std::vector<LedgerRow> ledger = reader.ledger();
    if (!ledger.empty()) state.last = ledger.back();
    return state;
}

void write_table(const Sweep& sweep)
{
    sweep.require_folder();
    std::string out(sweep_table_beginning);
    for (const SweepAxis& axis : sweep.axes) out += axis.key + ',';
    out += sweep_table_behind_values;
    out += "wall_seconds";
    for (const LedgerColumn& column : ledger_columns) out += fmt::format(",{}", column.name);
    out += '\n';
    for (const SweepMember& member : sweep.members) {
        const StateOfMember& state = member.state;
        out += member.name;
        for (const std::string& one : member.overrides) out += ',' + cell_of(one.substr(one.find('=') + 1));
        out += ',' + cell_of(state.text.empty() ? "not started" : state.text);
        if (member.done) {
            out += ',' + state.hash + ',' + state.wall_seconds;
            if (state.last) {
                for (const LedgerColumn& column : ledger_columns)
                    out += fmt::format(",{}", (*state.last).*column.member);
            }
        }
        out += '\n';
    }
    replace_file(sweep.held(sweep_table), out);
}

}  // namespace halfulp
