# The library and the Python module are linked from the program's own objects, which are then position independent. Hidden
# names and calls that nothing can replace: code that may be loaded anywhere is then as fast as code that may not.
if(HALFULP_SANITIZE)
  set(HALFULP_LIBRARY OFF)
endif()
if(HALFULP_LIBRARY OR HALFULP_PYTHON_MODULE)
  set(CMAKE_POSITION_INDEPENDENT_CODE ON)
  target_compile_options(halfulp_options INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:-fvisibility=hidden>
    $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-fno-semantic-interposition>)
endif()
