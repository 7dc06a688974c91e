# The precision policies that are compiled: the bundles of kernels/policy.hpp and what differs from them in some parts,
# named BUNDLE/PART=NAME/PART=NAME. Those of the program halfulp are compiled once, for both programs; halfulp-lab has those
# of the laboratory as well. Adding a combination is adding its name here, or to HALFULP_EXTRA_POLICIES.
set(HALFULP_PROGRAM_POLICIES robust reversible double)
set(HALFULP_LABORATORY_POLICIES naive dualsphysics gpusph quad)

# What robust loses without each of its techniques; what naive gains by each; what works only together.
set(HALFULP_ABLATIONS
  robust/position=global robust/position=double-float robust/position=global-double
  robust/density=relative robust/density=absolute robust/pressure=powers
  robust/kernels=powers robust/kernels=horner
  robust/sums=plain robust/sums=kahan robust/sums=double-float robust/sums=double
  robust/update=plain robust/update=fixed-point
  robust/distance=scaled robust/units=si
  naive/position=cell-offset naive/position=double-float/update=compensated naive/update=compensated
  naive/position=cell-offset/update=compensated
  naive/density=centred naive/pressure=horner naive/density=centred/pressure=horner
  naive/position=cell-offset/density=centred/pressure=horner
  naive/position=cell-offset/density=centred/pressure=horner/update=compensated
  naive/kernels=factored naive/sums=kbn naive/distance=scaled naive/units=scaled
  double/position=global double/units=si quad/units=si)

set(HALFULP_EXTRA_POLICIES "" CACHE STRING "More policies of halfulp-lab, e.g. \"robust/sums=double/update=plain;naive/sums=kahan\"")
list(APPEND HALFULP_LABORATORY_POLICIES ${HALFULP_ABLATIONS} ${HALFULP_EXTRA_POLICIES})
list(REMOVE_DUPLICATES HALFULP_LABORATORY_POLICIES)
list(REMOVE_ITEM HALFULP_LABORATORY_POLICIES ${HALFULP_PROGRAM_POLICIES})
set(HALFULP_POLICIES ${HALFULP_PROGRAM_POLICIES} ${HALFULP_LABORATORY_POLICIES})

set(HALFULP_TYPE_robust RobustPolicy)
set(HALFULP_TYPE_reversible ReversiblePolicy)
set(HALFULP_TYPE_naive NaivePolicy)
set(HALFULP_TYPE_dualsphysics DualSphysicsPolicy)
set(HALFULP_TYPE_gpusph GpuSphPolicy)
set(HALFULP_TYPE_double DoublePolicy)
set(HALFULP_TYPE_quad QuadPolicy)

# The C++ types of the parts.
set(HALFULP_PART_position_cell-offset "using Position = CellOffset;")
set(HALFULP_PART_position_global "using Position = GlobalCoordinate;")
set(HALFULP_PART_position_double-float "using Position = DoubleFloatCoordinate;")
set(HALFULP_PART_position_global-double "using Position = GlobalDouble;")
set(HALFULP_PART_density_centred "using Density = CentredStorage;")
set(HALFULP_PART_density_relative "using Density = RelativeStorage;")
set(HALFULP_PART_density_absolute "using Density = AbsoluteStorage;")
set(HALFULP_PART_pressure_horner "using Pressure = CentredEvaluation;")
set(HALFULP_PART_pressure_powers "using Pressure = RatioEvaluation;")
set(HALFULP_PART_kernels_factored "using Kernels = FactoredKernels;")
set(HALFULP_PART_kernels_horner "using Kernels = ExpandedKernels<HornerEvaluation>;")
set(HALFULP_PART_kernels_powers "using Kernels = ExpandedKernels<PowersEvaluation>;")
foreach(pair plain:PlainSum kahan:KahanSum kbn:KbnSum double-float:DoubleFloatSum double:DoubleSum)
  string(REPLACE ":" ";" pair ${pair})
  list(GET pair 0 name)
  list(GET pair 1 type)
  set(HALFULP_PART_sums_${name} "template <class T>\n    using Sum = ${type}<T>;")
endforeach()
set(HALFULP_PART_update_plain "using Update = PlainUpdate;")
set(HALFULP_PART_update_compensated "using Update = CompensatedUpdate;")
set(HALFULP_PART_update_fixed-point "using Update = FixedPointUpdate;")
set(HALFULP_PART_distance_plain "using Distance = PlainDistance;")
set(HALFULP_PART_distance_scaled "using Distance = ScaledDistance;")
set(HALFULP_PART_units_scaled "using Units = ScaledUnits;")
set(HALFULP_PART_units_si "using Units = SiUnits;")

# halfulp_type_of(NAME RESULT): the name of the C++ type of a policy.
function(halfulp_type_of name result)
  string(REPLACE "/" ";" pieces ${name})
  list(POP_FRONT pieces bundle)
  if(NOT DEFINED HALFULP_TYPE_${bundle})
    message(FATAL_ERROR "The policy \"${name}\" begins with \"${bundle}\"; allowed: robust, reversible, naive, dualsphysics, gpusph, double and quad")
  endif()
  set(type ${HALFULP_TYPE_${bundle}})
  foreach(piece IN LISTS pieces)
    string(MAKE_C_IDENTIFIER ${piece} piece)
    string(APPEND type _${piece})
  endforeach()
  set(${result} ${type} PARENT_SCOPE)
endfunction()

# halfulp_file_of(NAME RESULT): what files generated for a policy are called.
function(halfulp_file_of name result)
  string(REGEX REPLACE "[/=]" "_" file ${name})
  set(${result} ${file} PARENT_SCOPE)
endfunction()

# halfulp_pairs_of(NAME RESULT): the policy whose pair loops serve this one: without the parts that they do not see, if
# that is compiled too, else itself.
function(halfulp_pairs_of name result)
  string(REGEX REPLACE "/(pressure=[^/]*|update=[^/]*)" "" seen ${name})
  string(REGEX REPLACE "^reversible" "robust" seen ${seen})  # which differ in the update
  string(REGEX REPLACE "^robust(.*)/position=global-double" "robust\\1" seen ${seen})
  if(NOT seen IN_LIST HALFULP_POLICIES)
    set(seen ${name})
  endif()
  set(${result} ${seen} PARENT_SCOPE)
endfunction()

set(HALFULP_OWN_PAIR_LOOPS "")
set(program_list "")
set(laboratory_list "")
set(laboratory_names "")
set(declarations "")
foreach(name IN LISTS HALFULP_POLICIES)
  halfulp_type_of(${name} type)
  halfulp_pairs_of(${name} pairs)
  halfulp_type_of(${pairs} pairs_type)
  if(pairs STREQUAL name)
    list(APPEND HALFULP_OWN_PAIR_LOOPS ${name})
  endif()
  string(REPLACE "/" ";" pieces ${name})
  list(POP_FRONT pieces bundle)
  set(fixed_point FALSE)
  if(name MATCHES "update=fixed-point" OR (bundle STREQUAL reversible AND NOT name MATCHES "update="))
    set(fixed_point TRUE)
  endif()
  set(si_units FALSE)
  if(name MATCHES "units=si" OR (bundle MATCHES "naive|dualsphysics|gpusph" AND NOT name MATCHES "units=scaled"))
    set(si_units TRUE)
  endif()
  if(fixed_point AND si_units)
    message(FATAL_ERROR "The policy \"${name}\" has a fixed-point state in SI units, where a cell side is no whole multiple of its quantum; its units must be scaled")
  endif()
  if(pieces)
    set(text "struct ${type} : ${HALFULP_TYPE_${bundle}} {\n    static constexpr const char* name = \"${name}\";\n")
    string(APPEND text "    static constexpr bool every_physics = false;\n")
    foreach(piece IN LISTS pieces)
      string(REPLACE "=" "_" key ${piece})
      if(NOT DEFINED HALFULP_PART_${key})
        message(FATAL_ERROR "The policy \"${name}\" has the part \"${piece}\", which is unknown; kernels/policy.hpp lists the parts")
      endif()
      string(APPEND text "    ${HALFULP_PART_${key}}\n")
    endforeach()
    string(APPEND text "    using Pairs = ${pairs_type};\n};\n")
  else()
    set(text "")
  endif()
  if(name IN_LIST HALFULP_LABORATORY_POLICIES)
    string(APPEND laboratory_names "\n    \"${name}\",")
  endif()
  if(name IN_LIST HALFULP_PROGRAM_POLICIES)
    string(APPEND program_list " \\\n    apply(${type})")
  elseif(bundle STREQUAL quad)
    string(APPEND quad_declarations "${text}")
    string(APPEND quad_forward "struct ${type};\n")
    string(APPEND quad_list " \\\n    apply(${type})")
  else()
    string(APPEND declarations "${text}")
    string(APPEND laboratory_list " \\\n    apply(${type})")
  endif()
endforeach()
set(HALFULP_GENERATED ${PROJECT_BINARY_DIR}/generated)
target_include_directories(halfulp_options INTERFACE $<BUILD_INTERFACE:${HALFULP_GENERATED}>)
configure_file(${PROJECT_SOURCE_DIR}/cmake/policies.hpp.in ${HALFULP_GENERATED}/kernels/policies.hpp @ONLY)
configure_file(${PROJECT_SOURCE_DIR}/cmake/laboratory_policies.hpp.in ${HALFULP_GENERATED}/kernels/laboratory_policies.hpp @ONLY)
configure_file(${PROJECT_SOURCE_DIR}/cmake/quad_policies.hpp.in ${HALFULP_GENERATED}/kernels/quad_policies.hpp @ONLY)
