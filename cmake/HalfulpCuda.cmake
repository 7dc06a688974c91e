# CUDA is optional: compiled when a toolkit is found, used when a device is there. HALFULP_CUDA says whether it was.
option(HALFULP_WITH_CUDA "Compile CUDA code where a toolkit is found" ON)
set(HALFULP_CUDA OFF)
if(HALFULP_WITH_CUDA)
  include(CheckLanguage)
  check_language(CUDA)
  if(CMAKE_CUDA_COMPILER)
    # Machine code for Hopper and, for later devices, intermediate code; others by -DCMAKE_CUDA_ARCHITECTURES.
    if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
      set(CMAKE_CUDA_ARCHITECTURES 90-real 90-virtual)
    endif()
    enable_language(CUDA)
    # CMake 3.25 does not know nvcc's C++20.
    if(NOT DEFINED CMAKE_CUDA20_STANDARD_COMPILE_OPTION)
      set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION "-std=c++20")
      set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION "-std=c++20")
    endif()
    set(CMAKE_CUDA_STANDARD 20)
    set(CMAKE_CUDA_STANDARD_REQUIRED ON)
    set(HALFULP_CUDA ON)
    string(JOIN "," host_arithmetic ${HALFULP_ARITHMETIC_FLAGS})
    # The host's rules, for the device: no contraction, subnormals kept, division and square root correctly rounded.
    target_compile_options(halfulp_options INTERFACE
      $<$<COMPILE_LANGUAGE:CUDA>:-fmad=false -ftz=false -prec-div=true -prec-sqrt=true --expt-relaxed-constexpr
      -Xcompiler=${host_arithmetic},-Wall,-Wextra,-Werror>)
    foreach(flag ${HALFULP_ARCHITECTURE_FLAGS})
      target_compile_options(halfulp_options INTERFACE $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=${flag}>)
    endforeach()
  else()
    message(STATUS "No CUDA toolkit: building for the CPU alone")
  endif()
endif()
