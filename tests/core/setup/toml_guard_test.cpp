// What the parser of TOML is kept from, and what it is not.
#include <gtest/gtest.h>

#include <string>

#include "core/setup/toml_guard.hpp"

namespace halfulp {
namespace {

TEST(TomlGuard, LetsThrough)
{
    for (const char* const toml :
         {"", "title='x'\nbox={from=[0,0],to=[1,0.5]}\n", "title = \"d\xc3\xa9j\xc3\xa0. vu. # [\" # \xc3\xa9\n",
          "\xef\xbb\xbf[a.b]\r\nc.d = 1.5e-3\r\n", "a = '''x''''\nb = \"\"\"\\\n   x\"\"\"\"\"\n",
          "points = [\n  [0, 1], # first\n  [\"x\", 'y'],\n]\n", "a = {b={c=\"x\"},d='y'}\ne=\"\\\"\"\n",
          "a = 1.1\nb = [1.1,1.1,1.1,1.1,1.1,1.1,1.1,1.1,1.1,1.1,1.1,1.1,1.1,1.1,1.1,1.1,1.1,1.1,1.1,1.1,1.1,1.1]\n"}) {
        const auto fault = fault_of(toml);
        EXPECT_FALSE(fault) << toml << ": " << fault->what;
    }
}

TEST(TomlGuard, NamesTheLineOfWhatItKeepsBack)
{
    const auto refused = [](const std::string& toml) {
        const auto fault = fault_of(toml);
        return fault ? std::to_string(fault->line) + ":" + std::to_string(fault->column) + ": " +
                           fault->what.substr(0, fault->what.find(';'))
                     : "nothing";
    };
    const std::string letter = ": there is a letter beyond ASCII outside of quotation marks";
    EXPECT_EQ(refused("a = 1\nb = \xc3\xa9\n"), "2:5" + letter);
    EXPECT_EQ(refused("a = '''x'''' \xc3\xa9"), "1:14" + letter);
    EXPECT_EQ(refused("a = \"x\ny\xc3\xa9\""), "2:2" + letter);
    EXPECT_EQ(refused("a = 1\"\xc3\xa9\""), "1:6: the character \" stands right behind a word or a dot");
    EXPECT_EQ(refused("a = 1[\"\xc3\xa9\"]"), "1:6: the character [ stands right behind a word or a dot");
    EXPECT_EQ(refused("a = 1='\xc3\xa9'"), "1:7: the character ' stands right behind a word or a dot");
    EXPECT_EQ(refused("a = [1='\xc3\xa9']"), "1:8: the character ' stands right behind a word or a dot");
    EXPECT_EQ(refused("a = \"\"\"x\\ \n \xc3\xa9\"\"\""),
              "1:5: a letter beyond ASCII follows a backslash in this text");
    EXPECT_EQ(refused("a = 'x\a'"), "1:7: there is the byte 0x07, which no text has");
    EXPECT_EQ(refused("a = 1\rb = 2"), "1:6: there is the byte 0x0d, which no text has");
    EXPECT_EQ(refused("a.b.c.d.e.f.g.h.i.j.k.l.m.n.o.p.q.r.s.t.u = 1"),
              "1:40: a key has more than 20 parts, but no key of a case has");
}

}  // namespace
}  // namespace halfulp
