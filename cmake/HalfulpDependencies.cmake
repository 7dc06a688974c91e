# Debian's packages; scripts/install-dependencies installs them.
find_package(OpenMP REQUIRED COMPONENTS CXX)
find_package(Boost REQUIRED)
if(HALFULP_TESTS OR HALFULP_LABORATORY)
  find_package(Eigen3 REQUIRED NO_MODULE)
endif()
find_package(fmt REQUIRED)
find_package(CLI11 REQUIRED)
find_package(HDF5 REQUIRED COMPONENTS C)
find_package(ZLIB REQUIRED)
# Its header alone is used.
find_path(HALFULP_XXHASH_INCLUDE xxhash.h DOC "Folder that contains xxhash.h")
if(NOT HALFULP_XXHASH_INCLUDE)
  message(FATAL_ERROR "There is no xxhash.h here. Install libxxhash-dev (scripts/install-dependencies does), or say where "
    "it is: -DHALFULP_XXHASH_INCLUDE=FOLDER")
endif()
add_library(halfulp_xxhash INTERFACE)
target_include_directories(halfulp_xxhash SYSTEM INTERFACE "${HALFULP_XXHASH_INCLUDE}")

# toml++ comes with a CMake package on some systems and as bare headers on others.
set(HALFULP_TOMLPLUSPLUS_INCLUDE "" CACHE PATH "Folder that contains toml++/toml.h; only where toml++ has no CMake package")
if(HALFULP_TOMLPLUSPLUS_INCLUDE)
  if(NOT EXISTS "${HALFULP_TOMLPLUSPLUS_INCLUDE}/toml++/toml.h")
    message(FATAL_ERROR "HALFULP_TOMLPLUSPLUS_INCLUDE is ${HALFULP_TOMLPLUSPLUS_INCLUDE}, but there is no toml++/toml.h in it")
  endif()
  add_library(halfulp_tomlplusplus INTERFACE)
  target_include_directories(halfulp_tomlplusplus SYSTEM INTERFACE "${HALFULP_TOMLPLUSPLUS_INCLUDE}")
  target_compile_definitions(halfulp_tomlplusplus INTERFACE TOML_HEADER_ONLY=1)
  # As installed libraries of it are compiled: text that is no TOML trips its assertions, which it goes on after.
  target_compile_options(halfulp_tomlplusplus INTERFACE "-DTOML_ASSERT(expression)=static_assert(true)")
  add_library(tomlplusplus::tomlplusplus ALIAS halfulp_tomlplusplus)
else()
  find_package(tomlplusplus QUIET)
  if(NOT tomlplusplus_FOUND)
    message(FATAL_ERROR "toml++ has no CMake package here. Install libtomlplusplus-dev (scripts/install-dependencies does), "
      "or say where its headers are: -DHALFULP_TOMLPLUSPLUS_INCLUDE=FOLDER, the folder that contains toml++/toml.h")
  endif()
endif()
