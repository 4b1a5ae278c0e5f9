# Finds libtorch: Debian's libtorch-dev, or the folder `torch` of a Python package (-DZOE_TORCH_ROOT=…/site-packages/torch).
# Creates the target zoe_torch, or nothing when there is none. libtorch's own CMake files are not used: they search for
# CUDA's compiler, protobuf and more, and add flags and an older C++ standard to our targets.
set(ZOE_TORCH_ROOT "" CACHE PATH "Folder with libtorch's include and lib; empty: the system's")
find_path(ZOE_TORCH_INCLUDE torch/csrc/api/include/torch/types.h HINTS ${ZOE_TORCH_ROOT}/include)
set(zoe_torch_libraries)
foreach(name IN ITEMS torch torch_cpu c10 torch_cuda c10_cuda)
  find_library(ZOE_TORCH_LIB_${name} ${name} HINTS ${ZOE_TORCH_ROOT}/lib)
  if(ZOE_TORCH_LIB_${name})
    list(APPEND zoe_torch_libraries ${ZOE_TORCH_LIB_${name}})
  endif()
endforeach()
if(ZOE_TORCH_INCLUDE AND ZOE_TORCH_LIB_torch_cpu AND ZOE_TORCH_LIB_c10)
  add_library(zoe_torch INTERFACE)
  target_include_directories(zoe_torch SYSTEM INTERFACE ${ZOE_TORCH_INCLUDE} ${ZOE_TORCH_INCLUDE}/torch/csrc/api/include)
  # Our code calls no function of the CUDA library. It registers itself when it is loaded.
  target_link_options(zoe_torch INTERFACE -Wl,--no-as-needed)
  if(ZOE_TORCH_LIB_torch_cuda)
    # Libraries that libtorch itself needs are found by its own paths, at run time.
    target_link_options(zoe_torch INTERFACE -Wl,--unresolved-symbols=ignore-in-shared-libs)
  endif()
  # The C++ library first. Torch's Python packages export their own std::filesystem (from an older compiler), whose
  # remove_all() calls functions of another library. Calls that are bound to it jump to address 0.
  target_link_libraries(zoe_torch INTERFACE stdc++ ${zoe_torch_libraries} ${CMAKE_DL_LIBS})
  # A Python package has no headers of Gloo. Those of Debian's libgloo-dev are enough, because no function of Gloo is
  # called from here.
  find_path(ZOE_GLOO_INCLUDE gloo/algorithm.h HINTS ${ZOE_TORCH_INCLUDE})
  if(ZOE_GLOO_INCLUDE)
    target_compile_definitions(zoe_torch INTERFACE USE_C10D_GLOO ZOE_HAS_GLOO)
    target_include_directories(zoe_torch SYSTEM INTERFACE ${ZOE_GLOO_INCLUDE})
  endif()
  if(ZOE_TORCH_LIB_torch_cuda)
    # The headers of the toolkit: those of Python's packages lack a part (crt/).
    find_path(ZOE_CUDA_INCLUDE crt/host_defines.h HINTS $ENV{CUDA_HOME}/include /usr/local/cuda/include)
    find_path(ZOE_NCCL_INCLUDE nccl.h HINTS ${ZOE_TORCH_ROOT}/../nvidia/nccl/include)
    if(ZOE_CUDA_INCLUDE)
      target_compile_definitions(zoe_torch INTERFACE ZOE_HAS_CUDA)
      target_include_directories(zoe_torch SYSTEM INTERFACE ${ZOE_CUDA_INCLUDE})
    else()
      message(STATUS "CUDA's headers not found: no CUDA graphs, no NCCL")
    endif()
    if(ZOE_CUDA_INCLUDE AND ZOE_NCCL_INCLUDE AND ZOE_GLOO_INCLUDE)
      target_compile_definitions(zoe_torch INTERFACE USE_C10D_NCCL ZOE_HAS_NCCL)
      target_include_directories(zoe_torch SYSTEM INTERFACE ${ZOE_NCCL_INCLUDE})
    endif()
  endif()
else()
  message(STATUS "libtorch not found: no `zoe train` (Debian: libtorch-dev libgloo-dev)")
endif()
