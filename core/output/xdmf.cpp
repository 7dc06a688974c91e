#include "core/output/run_content.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>

namespace halfulp {
namespace {

std::string escaped(std::string_view text)
{
    std::string result;
    for (const char c : text) {
        switch (c) {
        case '&': result += "&amp;"; break;
        case '<': result += "&lt;"; break;
        case '>': result += "&gt;"; break;
        case '"': result += "&quot;"; break;
        default: result += c;
        }
    }
    return result;
}

std::string_view xdmf_type(ColumnType type)
{
    switch (type) {
    case ColumnType::float32:
    case ColumnType::float64: return "Float";
    case ColumnType::int32: return "Int";
    case ColumnType::uint32: return "UInt";
    case ColumnType::uint8: return "UChar";
    }
    return "";
}

std::string data_item(const OutputInfo& output, const Column& column)
{
    const std::string dimensions =
        column.components == 1 ? std::to_string(output.count) : fmt::format("{} {}", output.count, column.components);
    return fmt::format(R"(<DataItem Format="HDF" NumberType="{}" Precision="{}" Dimensions="{}">{}:/{}</DataItem>)",
                       xdmf_type(column.type), size_of(column.type), dimensions, file_of({}, output).string(),
                       escaped(column.name));
}

std::string grid(const OutputInfo& output, const std::vector<Column>& columns, const Column& position)
{
    std::string text;
    auto out = std::back_inserter(text);
    fmt::format_to(out, "      <Grid Name=\"particles\" GridType=\"Uniform\">\n        <Time Value=\"{}\"/>\n",
                   output.time);
    fmt::format_to(out,
                   "        <Topology TopologyType=\"Polyvertex\" NumberOfElements=\"{0}\" NodesPerElement=\"1\">"
                   "<DataItem Format=\"HDF\" NumberType=\"UInt\" Precision=\"4\" Dimensions=\"{0}\">"
                   "{1}:/vertices</DataItem></Topology>\n",
                   output.count, vertices_of({}, output.count).string());
    fmt::format_to(out, "        <Geometry GeometryType=\"XYZ\">{}</Geometry>\n", data_item(output, position));
    for (const Column& column : columns) {
        if (&column == &position || (column.components != 1 && column.components != 3)) continue;
        fmt::format_to(out, "        <Attribute Name=\"{}\" AttributeType=\"{}\" Center=\"Node\">{}</Attribute>\n",
                       escaped(column.name), column.components == 1 ? "Scalar" : "Vector", data_item(output, column));
    }
    return text + "      </Grid>\n";
}

}  // namespace

std::string xdmf_text(const RunContent& content)
{
    const auto position = std::ranges::find(content.columns, "position", &Column::name);
    std::string grids;
    if (position != content.columns.end()) {
        for (std::size_t k = 0; k < content.outputs.size(); ++k) {
            // ParaView cannot read two grids of one time: the state inside a step that broke down stands for the one
            // before it.
            const OutputInfo& output = content.outputs[k];
            if (k + 1 < content.outputs.size() && content.outputs[k + 1].time == output.time) continue;
            grids += grid(output, content.columns, *position);
        }
    }
    return fmt::format(
        "<?xml version=\"1.0\"?>\n"
        "<Xdmf Version=\"3.0\">\n"
        "  <Domain>\n"
        "    <Grid Name=\"run\" GridType=\"Collection\" CollectionType=\"Temporal\">\n"
        "{}"
        "    </Grid>\n"
        "  </Domain>\n"
        "</Xdmf>\n",
        grids);
}

}  // namespace halfulp
