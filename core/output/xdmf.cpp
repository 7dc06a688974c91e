#include "core/output/xdmf.hpp"

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

std::string_view number_type(ColumnType type)
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

std::string data_item(const Snapshot& snapshot, const Column& column, const std::string& heavy,
                      const std::string& group)
{
    const std::string dimensions = column.components == 1 ? std::to_string(snapshot.count)
                                                          : fmt::format("{} {}", snapshot.count, column.components);
    return fmt::format(R"(<DataItem Format="HDF" NumberType="{}" Precision="{}" Dimensions="{}">{}:{}/{}</DataItem>)",
                       number_type(column.type), size_of(column.type), dimensions, escaped(heavy), escaped(group),
                       escaped(column.name));
}

}  // namespace

void XdmfSeries::add(const Snapshot& snapshot, const std::string& group)
{
    const auto position = std::ranges::find(snapshot.columns, "position", &Column::name);
    if (position == snapshot.columns.end()) return;
    auto out = std::back_inserter(grids_);
    fmt::format_to(out, "      <Grid Name=\"particles\" GridType=\"Uniform\">\n        <Time Value=\"{}\"/>\n",
                   snapshot.time);
    fmt::format_to(out,
                   "        <Topology TopologyType=\"Polyvertex\" NumberOfElements=\"{0}\" NodesPerElement=\"1\">"
                   "<DataItem Format=\"HDF\" NumberType=\"UInt\" Precision=\"4\" Dimensions=\"{0}\">"
                   "{1}:/vertices/{0}</DataItem></Topology>\n",
                   snapshot.count, escaped(heavy_));
    fmt::format_to(out, "        <Geometry GeometryType=\"XYZ\">{}</Geometry>\n",
                   data_item(snapshot, *position, heavy_, group));
    for (const Column& column : snapshot.columns) {
        if (&column == &*position || (column.components != 1 && column.components != 3)) continue;
        fmt::format_to(out, "        <Attribute Name=\"{}\" AttributeType=\"{}\" Center=\"Node\">{}</Attribute>\n",
                       escaped(column.name), column.components == 1 ? "Scalar" : "Vector",
                       data_item(snapshot, column, heavy_, group));
    }
    fmt::format_to(out, "      </Grid>\n");
}

std::string XdmfSeries::text() const
{
    return fmt::format(
        "<?xml version=\"1.0\"?>\n"
        "<Xdmf Version=\"3.0\">\n"
        "  <Domain>\n"
        "    <Grid Name=\"run\" GridType=\"Collection\" CollectionType=\"Temporal\">\n"
        "{}"
        "    </Grid>\n"
        "  </Domain>\n"
        "</Xdmf>\n",
        grids_);
}

}  // namespace halfulp
