# What the program finds beside itself, installed or in a wheel.
# core/setup/find_case.cpp, core/app/draw.cpp and core/app/picture.cpp look here, relative to the program.
install(DIRECTORY ${PROJECT_SOURCE_DIR}/cases DESTINATION ${CMAKE_INSTALL_DATADIR}/halfulp COMPONENT program FILES_MATCHING
  PATTERN "*.toml" PATTERN "*.stl")
install(FILES ${PROJECT_SOURCE_DIR}/core/output/figures.py ${PROJECT_SOURCE_DIR}/core/output/picture.py
  DESTINATION ${CMAKE_INSTALL_DATADIR}/halfulp COMPONENT program)
