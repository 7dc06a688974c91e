# cpack -G DEB: three packages of Debian, with what they need found by dpkg-shlibdeps; cpack -G TGZ: an archive.
# From a release build configured with -DCMAKE_INSTALL_PREFIX=/usr.
set(CPACK_PACKAGE_NAME halfulp)
set(CPACK_PACKAGE_VENDOR "The halfulp authors")
set(HALFULP_PACKAGER "The halfulp authors <halfulp@example.org>" CACHE STRING "Who makes packages: NAME <MAIL>")
set(CPACK_PACKAGE_CONTACT ${HALFULP_PACKAGER})
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "free-surface flow by SPH in robust single precision")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR}/packages)

set(CPACK_COMPONENTS_ALL program documents)
set(CPACK_COMPONENT_PROGRAM_GROUP halfulp)
set(CPACK_COMPONENT_DOCUMENTS_GROUP halfulp)
if(HALFULP_LIBRARY)
  list(APPEND CPACK_COMPONENTS_ALL library development)
  set(CPACK_COMPONENT_LIBRARY_GROUP library)
  set(CPACK_COMPONENT_DEVELOPMENT_GROUP development)
endif()
set(CPACK_COMPONENTS_GROUPING ONE_PER_GROUP)

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(soname ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
set(CPACK_DEBIAN_HALFULP_PACKAGE_NAME halfulp)
set(CPACK_DEBIAN_HALFULP_PACKAGE_RECOMMENDS "python3, python3-h5py, python3-matplotlib")
set(CPACK_COMPONENT_HALFULP_DESCRIPTION "The program halfulp simulates free-surface flow by weakly compressible smoothed
particle hydrodynamics (SPH), in single precision that is as
accurate as single precision can be, with the same bits for any number of
threads and SIMD lanes.")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME libhalfulp${soname})
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_RECOMMENDS halfulp)
set(CPACK_COMPONENT_LIBRARY_DESCRIPTION "The shared library: lets C++ programs step simulations of halfulp.
The shipped cases are in the package halfulp.")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libhalfulp-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "libhalfulp${soname} (= ${PROJECT_VERSION}-1)")
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION "Header and CMake package of the library, for C++
programs that step simulations of halfulp.")

set(control ${CMAKE_CURRENT_BINARY_DIR}/debian-control)
file(WRITE ${control}/shlibs "libhalfulp ${soname} libhalfulp${soname} (>= ${PROJECT_VERSION})\n")
file(WRITE ${control}/triggers "activate-noawait ldconfig\n")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_CONTROL_EXTRA ${control}/shlibs ${control}/triggers)
# Copyright and changelog of each package, compressed manual pages: as Debian's policy wants them.
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/packaging/debian.cmake)
set(CPACK_HALFULP_SOURCE ${PROJECT_SOURCE_DIR})
include(CPack)
