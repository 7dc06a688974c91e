# cmake --install: the program (of which a wheel takes the component `program`) and its laboratory, the headers that others may build on, the cases, the scripts that draw, the man page.
include(GNUInstallDirs)

install(TARGETS halfulp RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT program)
if(HALFULP_LABORATORY)  # where it has been built
  install(PROGRAMS $<TARGET_FILE:halfulp-lab> DESTINATION ${CMAKE_INSTALL_BINDIR} OPTIONAL)
endif()

# Under include/halfulp the folders stand as in the source, so -I.../include/halfulp makes every #include of the project work.
install(DIRECTORY ${PROJECT_SOURCE_DIR}/precision ${PROJECT_SOURCE_DIR}/kernels ${PROJECT_SOURCE_DIR}/core
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/halfulp
  FILES_MATCHING PATTERN "*.hpp")
install(DIRECTORY ${HALFULP_GENERATED}/kernels DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/halfulp FILES_MATCHING PATTERN "*.hpp")

include(HalfulpProgramFiles)
file(GLOB experiment_figures CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/validation/*.py)
install(FILES ${experiment_figures} DESTINATION ${CMAKE_INSTALL_DATADIR}/halfulp)

# Completion, made by the program of its own options. Its files have the names that the shells want, so in a folder of their
# own: one of them is the program's.
set(completions ${CMAKE_CURRENT_BINARY_DIR}/completions)
install(CODE "file(MAKE_DIRECTORY \"${completions}\")")
foreach(completion bash:bash-completion/completions:halfulp zsh:zsh/site-functions:_halfulp fish:fish/vendor_completions.d:halfulp.fish)
  string(REPLACE ":" ";" completion ${completion})
  list(POP_FRONT completion shell folder name)
  install(CODE "execute_process(COMMAND \"$<TARGET_FILE:halfulp>\" completion ${shell}
    OUTPUT_FILE \"${completions}/${name}\" COMMAND_ERROR_IS_FATAL ANY)")
  install(FILES ${completions}/${name} DESTINATION ${CMAKE_INSTALL_DATADIR}/${folder})
endforeach()

install(FILES ${PROJECT_SOURCE_DIR}/docs/halfulp.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/CITATION.cff ${PROJECT_SOURCE_DIR}/CHANGELOG.md
  DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES ${PROJECT_SOURCE_DIR}/README.md DESTINATION ${CMAKE_INSTALL_DOCDIR} OPTIONAL)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs DESTINATION ${CMAKE_INSTALL_DOCDIR} FILES_MATCHING PATTERN "*.md" PATTERN "*.svg" PATTERN "*.png")
