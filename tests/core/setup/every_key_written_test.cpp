// Completed cases: every key that the description of a case has is written.
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <initializer_list>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "case_text.hpp"
#include "core/setup/case_fields.hpp"
#include "tests/core/setup/key_archive.hpp"
#include "tests/core/setup/whole_cases.hpp"

namespace halfulp {
namespace {

// An archive for case_fields: every key that a case may have, by its dotted path, whether it has it or not.
class EveryKey : public test::KeyArchive<EveryKey> {
public:
    std::set<std::string> keys;

    void add(const Key& key) { keys.insert(prefix_ + std::string(key.name)); }
    void one_of(const Key& key, const std::string&, std::initializer_list<std::string_view>) { add(key); }
    void boolean(const Key& key, bool) { add(key); }
    template <class Fields>
    void table(const Key& key, Fields fields)
    {
        inside(key, fields);
    }
    template <class T, class Fields>
    void table(const Key& key, const std::optional<T>&, Fields fields)
    {
        inside(key, [&] {
            T some{};
            fields(some);
        });
    }
    template <class T, class Fields>
    void list(const Key& key, const std::vector<T>&, Fields fields)
    {
        inside(key, [&] {
            T some{};
            fields(some);
        });
    }
    template <class Form, class Fields>
    void form(const Key& key, const Form&, Form, Fields fields)
    {
        add(key);
        inside(key, fields);
    }
    template <class Form>
    void form(const Key& key, const Form&, Form, const std::vector<std::array<double, 2>>&, std::size_t)
    {
        add(key);
    }

private:
    template <class Fields>
    void inside(const Key& key, Fields fields)
    {
        const std::string before = std::exchange(prefix_, prefix_ + std::string(key.name) + ".");
        fields();
        prefix_ = before;
    }
    std::string prefix_;
};

// The dotted paths of the keys in a text that case_as_toml has written.
std::set<std::string> keys_in(const std::string& text)
{
    const auto word_before = [](const std::string& line, std::size_t end) {
        const std::size_t before = line.find_last_not_of("abcdefghijklmnopqrstuvwxyz_", end - 1);
        return line.substr(before + 1, end - before - 1);
    };
    std::set<std::string> keys;
    std::string prefix;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with("[")) {
            const std::size_t first = line.find_first_not_of('[');
            prefix = line.substr(first, line.find(']') - first) + ".";
            continue;
        }
        const std::size_t equals = line.find(" = ");
        if (equals == std::string::npos) continue;
        const std::string key = prefix + line.substr(0, equals);
        keys.insert(key);
        if (line.compare(equals + 3, 1, "{") != 0) continue;
        const std::size_t end = line.find("  # ");
        for (std::size_t at = line.find(" = ", equals + 3); at < end; at = line.find(" = ", at + 3))
            keys.insert(key + "." + word_before(line, at));
    }
    return keys;
}

// So that none can be added which is not written, or read back as another table's.
TEST(CaseAsToml, WritesEveryKeyThatThereIs)
{
    Case c = case_from(least_case);
    EveryKey all;
    case_fields(all, c);
    EXPECT_GT(all.keys.size(), 100U);
    std::set<std::string> written;
    for (const std::string& text : {least_case, full_case, solid_case, disc_case})
        written.merge(keys_in(case_as_toml(case_from(text))));
    for (const std::string& key : all.keys) EXPECT_TRUE(written.contains(key)) << key;
    for (const std::string& key : written) EXPECT_TRUE(all.keys.contains(key) || key.find('.') == key.npos) << key;
}

}  // namespace
}  // namespace halfulp
