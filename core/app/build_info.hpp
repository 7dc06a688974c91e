// Commit, compiler and flags of this program, for the provenance of runs.
#pragma once

namespace halfulp::build {

extern const char* const version;
extern const char* const commit;   // hash, or "unknown" outside of a git checkout
extern const char* const tree;     // "clean", "modified" or "unknown"
extern const char* const sources;  // digest of all compiled sources: equal for commits that change none of them
extern const char* const compiler;
extern const char* const flags;
extern const char* const type;

}  // namespace halfulp::build
