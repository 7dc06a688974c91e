# A wheel from a build folder that has been built: nothing is compiled (HALFULP_BUILT; scripts/wheel --built).
file(GLOB module ${HALFULP_BUILT}/python/halfulp/_halfulp*.so)
if(NOT module OR NOT EXISTS ${HALFULP_BUILT}/halfulp)
  message(FATAL_ERROR "HALFULP_BUILT is ${HALFULP_BUILT}, but no program and Python module have been built there; build the "
    "targets halfulp and halfulp_package first")
endif()
foreach(target halfulp halfulp_python halfulp_package)
  add_custom_target(${target})
endforeach()
install(PROGRAMS ${HALFULP_BUILT}/halfulp DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT program)
install(FILES ${module} ${HALFULP_BUILT}/python/halfulp/_halfulp.pyi DESTINATION . COMPONENT python)
include(HalfulpProgramFiles)
