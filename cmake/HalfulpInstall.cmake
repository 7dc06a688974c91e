# cmake --install, and packages by cpack. Components: `program` (what a wheel takes too), `documents`, `library` (the
# shared file), `development` (its header and CMake package).
include(GNUInstallDirs)

install(TARGETS halfulp RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT program)
if(HALFULP_LABORATORY)  # where it has been built
  install(PROGRAMS $<TARGET_FILE:halfulp-lab> DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT laboratory OPTIONAL)
endif()
include(HalfulpProgramFiles)
if(HALFULP_LABORATORY)
  file(GLOB experiment_figures CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/validation/*.py)
  install(FILES ${experiment_figures} DESTINATION ${CMAKE_INSTALL_DATADIR}/halfulp COMPONENT laboratory)
  # What they take of the Python package; they look here (validation/package.py). Without the module, which is for one Python.
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/python/halfulp DESTINATION ${CMAKE_INSTALL_DATADIR}/halfulp/python
    COMPONENT laboratory FILES_MATCHING PATTERN "*.py")
endif()

# The library: one shared file, one header, find_package(halfulp).
if(HALFULP_LIBRARY)
  include(CMakePackageConfigHelpers)
  set(package ${CMAKE_INSTALL_LIBDIR}/cmake/halfulp)
  install(TARGETS halfulp_library EXPORT halfulp LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
    COMPONENT library NAMELINK_COMPONENT development)
  install(FILES ${PROJECT_SOURCE_DIR}/core/library/halfulp.hpp DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/halfulp
    COMPONENT development)
  install(EXPORT halfulp FILE halfulpConfig.cmake NAMESPACE halfulp:: DESTINATION ${package} COMPONENT development)
  write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/halfulpConfigVersion.cmake
    VERSION ${PROJECT_VERSION} COMPATIBILITY SameMinorVersion)
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/halfulpConfigVersion.cmake DESTINATION ${package} COMPONENT development)
endif()

# Completion, made by the program of its own options. Its files have the names that the shells want, so in a folder of their
# own: one of them is the program's.
set(completions ${CMAKE_CURRENT_BINARY_DIR}/completions)
install(CODE "file(MAKE_DIRECTORY \"${completions}\")" COMPONENT documents)
foreach(completion bash:bash-completion/completions:halfulp zsh:zsh/site-functions:_halfulp
    fish:fish/vendor_completions.d:halfulp.fish)
  string(REPLACE ":" ";" completion ${completion})
  list(POP_FRONT completion shell folder name)
  install(CODE "execute_process(COMMAND \"$<TARGET_FILE:halfulp>\" completion ${shell}
    OUTPUT_FILE \"${completions}/${name}\" COMMAND_ERROR_IS_FATAL ANY)" COMPONENT documents)
  install(FILES ${completions}/${name} DESTINATION ${CMAKE_INSTALL_DATADIR}/${folder} COMPONENT documents)
endforeach()

file(GLOB manual CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/docs/*.1)
install(FILES ${manual} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT documents)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/CITATION.cff ${PROJECT_SOURCE_DIR}/CHANGELOG.md
  ${PROJECT_SOURCE_DIR}/README.md ${PROJECT_SOURCE_DIR}/CONTRIBUTING.md DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT documents)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT documents
  FILES_MATCHING PATTERN "*.md" PATTERN "*.svg" PATTERN "*.png" PATTERN "*.json" PATTERN "*.csv" PATTERN "*.1")
install(DIRECTORY ${PROJECT_SOURCE_DIR}/examples DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT documents
  FILES_MATCHING PATTERN "*.py" PATTERN "*.cpp" PATTERN "*.toml" PATTERN "*.stl" PATTERN "CMakeLists.txt")

include(HalfulpPackage)
