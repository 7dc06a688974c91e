# Copyright The halfulp authors.
#
# SPDX-License-Identifier: BSD-3-Clause

from spack_repo.builtin.build_systems.cmake import CMakePackage
from spack_repo.builtin.build_systems.cuda import CudaPackage

from spack.package import *


class Halfulp(CMakePackage, CudaPackage):
    """Weakly compressible smoothed particle hydrodynamics (SPH) of free-surface flow in robust
    single precision, with the same bits for any number of threads and SIMD lanes and on CUDA
    devices."""

    # Until there is a release to fetch: spack dev-build halfulp@main, in the sources.
    homepage = "https://example.org/halfulp"
    git = "https://example.org/halfulp.git"

    license("BSD-3-Clause", checked_by="halfulp-authors")

    version("main", branch="main")

    variant("laboratory", default=False, description="Build halfulp-lab: validate, bench")
    variant("mpi", default=False, description="Divide runs among MPI processes")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("ninja", type="build")
    depends_on("boost@1.74:")
    depends_on("cli11@2.1:", type="build")
    depends_on("eigen@3.4:", when="+laboratory", type="build")
    depends_on("fmt@9:")
    depends_on("hdf5@1.10: ~mpi")
    depends_on("mpi", when="+mpi")
    depends_on("cuda@12:", when="+cuda")
    depends_on("tomlplusplus@3.3:")
    depends_on("xxhash@0.8:", type="build")
    depends_on("zlib-api")
    depends_on("python@3.11:", type="run")
    depends_on("py-h5py", type="run")
    depends_on("py-matplotlib", type="run")

    # Fused multiply-adds in hardware, and compilers whose bits the tests have compared.
    requires("target=x86_64_v3:")
    requires("%gcc@12:", msg="halfulp is tested with GCC 12")

    generator("ninja")

    def cmake_args(self):
        args = [
            self.define("HALFULP_TESTS", False),
            self.define("HALFULP_PYTHON", "OFF"),
            self.define("HALFULP_XXHASH_INCLUDE", self.spec["xxhash"].prefix.include),
            self.define_from_variant("HALFULP_LABORATORY", "laboratory"),
            self.define_from_variant("HALFULP_WITH_CUDA", "cuda"),
            self.define_from_variant("HALFULP_WITH_MPI", "mpi"),
        ]
        if self.spec.satisfies("+cuda") and not self.spec.satisfies("cuda_arch=none"):
            archs = self.spec.variants["cuda_arch"].value
            args.append(self.define("CMAKE_CUDA_ARCHITECTURES", archs))
        return args
