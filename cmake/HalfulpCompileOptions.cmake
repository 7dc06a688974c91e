# Flags that decide bits, and warnings. Every target of the project links halfulp_options.
add_library(halfulp_options INTERFACE)
target_include_directories(halfulp_options INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>)

# Flags that decide what arithmetic the compiler may do. Runs record them.
set(HALFULP_ARITHMETIC_FLAGS -ffp-contract=off -fno-fast-math -fno-math-errno -fno-trapping-math)
# GCC 12 makes fused multiply-adds of neighbouring sums and differences of products (vfmaddsub) when it vectorises
# straight-line code, whatever -ffp-contract says. tests/contraction_test.py looks for them in what was built.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  list(APPEND HALFULP_ARITHMETIC_FLAGS -fno-tree-slp-vectorize)
endif()

# No fast-math, no contraction: a fused multiply-add is written out where it is meant. Nothing reads errno or the exception
# flags, so the compiler need not keep them; that changes no value.
target_compile_options(halfulp_options INTERFACE
  "$<$<COMPILE_LANGUAGE:CXX>:${HALFULP_ARITHMETIC_FLAGS};-Wall;-Wextra;-Wpedantic;-Werror>")
# The vector types of precision/simd.hpp are passed inline only; their calling convention never matters.
target_compile_options(halfulp_options INTERFACE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-psabi>)
# GCC 12 and 13 warn of overlaps, overflows and bounds inside std::string, std::vector and fmt that are none (GCC bugs
# 105329 and 105651); the sanitizers look for real ones.
target_compile_options(halfulp_options INTERFACE
  $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-stringop-overflow -Wno-restrict -Wno-array-bounds>)

# The program needs fused multiply-adds in hardware; on x86-64 that is AVX2's generation. core/app/processor_check.cpp,
# compiled without these, says so on a machine that has none.
set(HALFULP_ARCHITECTURE_FLAGS "")
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  set(HALFULP_ARCHITECTURE_FLAGS -march=x86-64-v3 -mtune=generic)
endif()
target_compile_options(halfulp_options INTERFACE $<$<COMPILE_LANGUAGE:CXX>:${HALFULP_ARCHITECTURE_FLAGS}>)

# For what runs once and takes long to compile (command lines, reports, tests of whole runs): lightly optimised, under the
# sanitizers not at all. Changes no bit, as no option does.
set(HALFULP_LIGHTLY_OPTIMISED $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CONFIG:Release>>:-O1>)
if(HALFULP_SANITIZE)
  set(HALFULP_LIGHTLY_OPTIMISED $<$<COMPILE_LANGUAGE:CXX>:-O0>)
endif()

# Without the checks of every pointer that the address sanitizer makes again: they take half as long again to compile.
if(HALFULP_SANITIZE)
  target_compile_options(halfulp_options INTERFACE -fsanitize=${HALFULP_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  if(HALFULP_SANITIZE MATCHES address)
    target_compile_options(halfulp_options INTERFACE -fno-sanitize=null,alignment,object-size,vptr,pointer-overflow)
  endif()
  target_link_options(halfulp_options INTERFACE -fsanitize=${HALFULP_SANITIZE})
endif()
# For long stretches of arithmetic: neither checks of scopes nor line numbers, which take as long as the code.
set(HALFULP_FEWER_CHECKS "")
set(HALFULP_NO_ADDRESSES "")
if(HALFULP_SANITIZE MATCHES address)
  set(HALFULP_FEWER_CHECKS -g0 -fno-sanitize-address-use-after-scope)
  set(HALFULP_NO_ADDRESSES -fno-sanitize=address)
endif()
