# The Python module, optional: built where Python 3.11 or later with its headers and nanobind are found.
# scripts/python-environment makes an environment that has both, in build/python-environment.
set(HALFULP_PYTHON "AUTO" CACHE STRING "Build the Python module: AUTO (where nanobind is found), ON or OFF")
set_property(CACHE HALFULP_PYTHON PROPERTY STRINGS AUTO ON OFF)
set(HALFULP_PYTHON_MODULE OFF)

if(HALFULP_PYTHON AND NOT HALFULP_SANITIZE)  # which a Python without them cannot load
  set(environment ${PROJECT_SOURCE_DIR}/build/python-environment/bin/python)
  if(NOT DEFINED Python_EXECUTABLE AND EXISTS ${environment})
    set(Python_EXECUTABLE ${environment})
  endif()
  if(CMAKE_VERSION VERSION_LESS 3.26)
    set(stable_abi "")
  else()
    set(stable_abi OPTIONAL_COMPONENTS Development.SABIModule)
  endif()
  find_package(Python 3.11 QUIET COMPONENTS Interpreter Development.Module ${stable_abi})
  if(Python_FOUND AND NOT Python_VERSION VERSION_LESS 3.12 AND NOT TARGET Python::SABIModule)
    # CMake 3.25 does not know it; the headers are the same.
    add_library(Python::SABIModule INTERFACE IMPORTED)
    target_link_libraries(Python::SABIModule INTERFACE Python::Module)
  endif()
  set(nanobind_folder "")
  if(Python_FOUND)
    execute_process(COMMAND ${Python_EXECUTABLE} -m nanobind --cmake_dir
      OUTPUT_VARIABLE nanobind_folder OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
    if(failed)
      set(nanobind_folder "")
    endif()
  endif()
  if(nanobind_folder)
    list(APPEND CMAKE_PREFIX_PATH ${nanobind_folder})
    find_package(nanobind CONFIG REQUIRED)
    set(HALFULP_PYTHON_MODULE ON)
    # The program's own objects are linked into the module. Hidden names and calls that nothing can replace: code that
    # may be loaded anywhere is then as fast as code that may not.
    set(CMAKE_POSITION_INDEPENDENT_CODE ON)
    target_compile_options(halfulp_options INTERFACE
      $<$<COMPILE_LANGUAGE:CXX>:-fvisibility=hidden>
      $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-fno-semantic-interposition>)
  elseif(HALFULP_PYTHON STREQUAL "AUTO")
    message(STATUS "No Python 3.11 with headers and nanobind (scripts/python-environment makes one): without the Python module")
  else()
    message(FATAL_ERROR "HALFULP_PYTHON is ${HALFULP_PYTHON}, but there is no Python 3.11 or later with its headers and "
      "nanobind; run scripts/python-environment, or name one that has them: -DPython_EXECUTABLE=FILE")
  endif()
endif()
