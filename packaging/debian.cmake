# Run by cpack before it packs the folders of the three packages: adds what Debian's policy wants in each.
if(NOT CPACK_GENERATOR STREQUAL "DEB")
  return()
endif()
# Without it CPack would make packages that need nothing, and say so in a line.
find_program(shlibdeps dpkg-shlibdeps)
if(NOT shlibdeps)
  message(FATAL_ERROR "There is no dpkg-shlibdeps, which finds what the packages need; install dpkg-dev.")
endif()
set(groups halfulp library development)
set(names halfulp ${CPACK_DEBIAN_LIBRARY_PACKAGE_NAME} ${CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME})
foreach(group name IN ZIP_LISTS groups names)
  set(folder ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/${group}/usr/share)
  if(NOT EXISTS ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/${group})
    continue()
  endif()
  file(MAKE_DIRECTORY ${folder}/doc/${name})
  file(COPY_FILE ${CPACK_HALFULP_SOURCE}/packaging/copyright ${folder}/doc/${name}/copyright)
  file(REMOVE ${folder}/doc/${name}/LICENSE)  # the same text as copyright
  file(COPY_FILE ${CPACK_HALFULP_SOURCE}/CHANGELOG.md ${folder}/doc/${name}/changelog)
  file(REMOVE ${folder}/doc/${name}/CHANGELOG.md)
  string(TIMESTAMP day "%a, %d %b %Y %H:%M:%S +0000" UTC)  # of SOURCE_DATE_EPOCH where that is set
  file(WRITE ${folder}/doc/${name}/changelog.Debian
    "halfulp (${CPACK_PACKAGE_VERSION}-1) unstable; urgency=medium\n\n  * Packed by cpack from version ${CPACK_PACKAGE_VERSION}.\n\n"
    " -- ${CPACK_PACKAGE_CONTACT}  ${day}\n")
  execute_process(COMMAND gzip -n -9 -f ${folder}/doc/${name}/changelog ${folder}/doc/${name}/changelog.Debian
    COMMAND_ERROR_IS_FATAL ANY)
  # No bug of Debian is closed by what is not uploaded to Debian.
  set(overrides "${name}: initial-upload-closes-no-bugs\n")
  if(group STREQUAL library)  # by scripts that CPack adds, beside the trigger
    string(APPEND overrides "${name}: maintscript-calls-ldconfig\n")
  endif()
  file(WRITE ${folder}/lintian/overrides/${name} ${overrides})
  file(GLOB manual ${folder}/man/man1/*.1)
  if(manual)
    execute_process(COMMAND gzip -n -9 -f ${manual} COMMAND_ERROR_IS_FATAL ANY)
  endif()
endforeach()
