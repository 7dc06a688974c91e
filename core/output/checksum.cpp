#include "core/output/checksum.hpp"

namespace halfulp {

StateHash checksum_of(const Column& column)
{
    Checksum checksum;
    for (const std::string* text : {&column.name, &column.unit, &column.description}) checksum.absorb(*text);
    checksum.absorb(static_cast<std::uint64_t>(column.type));
    checksum.absorb(static_cast<std::uint64_t>(column.components));
    checksum.absorb(std::uint64_t{column.state});
    checksum.absorb(column.data.data(), column.data.size());
    return checksum.value();
}

StateHash checksum_of(const Snapshot& snapshot)
{
    Checksum checksum;
    for (const std::uint64_t number : {snapshot.count, snapshot.step, snapshot.hash.words[0], snapshot.hash.words[1]})
        checksum.absorb(number);
    checksum.absorb(snapshot.time);
    for (const Column& column : snapshot.columns) checksum.absorb(column.name);
    return checksum.value();
}

StateHash checksum_of(const std::map<std::string, std::string>& texts)
{
    Checksum checksum;
    for (const auto& [key, text] : texts) {
        checksum.absorb(key);
        checksum.absorb(text);
    }
    return checksum.value();
}

StateHash checksum_of(const std::string& case_given, const std::string& case_completed)
{
    Checksum checksum;
    checksum.absorb(case_given);
    checksum.absorb(case_completed);
    return checksum.value();
}

}  // namespace halfulp
