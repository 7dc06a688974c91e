#!/usr/bin/env python3
"""The recipes of packaging/ pass their linters; a test whose linter is not there is skipped and names it.
Usage: recipes_test.py PROJECT BUILD [Container|Conda|Spack|Debian]; BUILD: a release build folder with program and library,
from which Debian packages are made. scripts/python-environment installs the linters that PyPI has; lintian is Debian's."""
import importlib.util
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT, BUILD = (pathlib.Path(sys.argv.pop(1)).resolve() for _ in range(2))


def program(name):
    """The path of a linter beside this Python or on the path."""
    beside = pathlib.Path(sys.executable).parent / name
    found = str(beside) if beside.exists() else shutil.which(name)
    if not found:
        raise unittest.SkipTest(f"there is no {name} here")
    return found


class Linted(unittest.TestCase):
    def accepted(self, *words, cwd=ROOT):
        """The command ends well and prints nothing."""
        done = subprocess.run([str(word) for word in words], cwd=cwd, capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stdout.strip()), (0, ""), done.stdout + done.stderr)

    def options_exist(self, recipe, pattern):
        """The options of CMake that a recipe sets are options of the project."""
        options = set(re.findall(pattern, (ROOT / recipe).read_text(encoding="utf-8")))
        sources = "".join(path.read_text(encoding="utf-8") for path in [ROOT / "CMakeLists.txt", *ROOT.glob("cmake/*.cmake")])
        self.assertTrue(options)
        for option in options:
            self.assertRegex(sources, rf"(option|set|find_path)\({option}\b", option)


class Container(Linted):
    def test_linter(self):
        self.accepted(program("hadolint"), "--no-color", "packaging/Containerfile")

    def test_options(self):
        self.options_exist("packaging/Containerfile", r"-D(HALFULP_\w+)=")

    def test_it_installs_what_the_build_needs(self):
        """What it installs is among the packages of scripts/install-dependencies, but for what packing takes."""
        named = set(re.findall(r"[\w.+-]+", re.search(r"packages=\((.*?)\)", (ROOT / "scripts/install-dependencies").read_text(encoding="utf-8"), re.S).group(1)))
        text = (ROOT / "packaging/Containerfile").read_text(encoding="utf-8")
        for words in re.findall(r"--no-install-recommends((?:\s|\\|[\w.+*/-])+?)&&", text):
            for word in words.replace("\\", " ").split():
                if not word.startswith("/tmp/"):
                    self.assertIn(word, named | {"dpkg-dev", "fakeroot", "file", "g++", "git"})


class Conda(Linted):
    def test_yaml(self):
        """Of the conda recipe, the workflows and the site's settings."""
        rules = "{extends: default, rules: {line-length: {max: 120}, document-start: disable, truthy: {check-keys: false}, " \
                "braces: {max-spaces-inside: 0}, comments: {min-spaces-from-content: 1}}}"
        self.accepted(program("yamllint"), "--strict", "-d", rules, "packaging/conda/recipe.yaml", "mkdocs.yml", ".github/workflows")

    def test_it_renders(self):
        """Into one package with the version of the sources, built by the compiler of variants.yaml."""
        if not importlib.util.find_spec("rattler_build"):
            self.skipTest("there is no py-rattler-build here")
        import rattler_build

        folder = ROOT / "packaging/conda"

        variants = rattler_build.VariantConfig.from_file(folder / "variants.yaml")
        settings = rattler_build.RenderConfig(rattler_build.PlatformConfig(target_platform="linux-64"))
        (one,) = rattler_build.Stage0Recipe.from_file(folder / "recipe.yaml").render(variants, settings)
        version = re.search(r"project\(halfulp VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")).group(1)
        self.assertEqual((one.recipe.package.name, str(one.recipe.package.version)), ("halfulp", version))
        self.assertIn("gxx_linux-64 12.*", one.recipe.requirements.to_dict()["build"])

    def test_options(self):
        self.options_exist("packaging/conda/recipe.yaml", r"-D(HALFULP_\w+)=")


class Spack(Linted):
    def test_style(self):
        """As `spack style` checks it: black, isort and flake8 with its settings."""
        recipe = ROOT / "packaging/spack/package.py"
        with tempfile.TemporaryDirectory() as empty:  # in which no settings of ours lie
            self.accepted(program("black"), "--quiet", "--check", "--diff", "--line-length=99", "--skip-magic-trailing-comma", recipe, cwd=empty)
            self.accepted(program("isort"), "--profile=black", "--line-length=99", "--project=spack", "--check", "--diff", recipe, cwd=empty)
            self.accepted(program("flake8"), "--max-line-length=99", "--extend-ignore=E203,E731,F403,F405,F821,W503", recipe, cwd=empty)

    def test_options(self):
        self.options_exist("packaging/spack/package.py", r"self\.define(?:_from_variant)?\(\"(\w+)\"")


class Debian(unittest.TestCase):
    def test_packages(self):
        """cpack makes three, in which lintian finds nothing but what packaging/debian.cmake overrides."""
        lintian, cpack = program("lintian"), program("cpack")
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([cpack, "-G", "DEB", "--config", str(BUILD / "CPackConfig.cmake"), "-B", folder, "-D", "CPACK_PACKAGING_INSTALL_PREFIX=/usr"],
                                  cwd=BUILD, capture_output=True, text=True, check=False, env={**os.environ, "SOURCE_DATE_EPOCH": "1800000000"})
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            packages = sorted(pathlib.Path(folder).glob("*.deb"))
            self.assertEqual([package.name.split("_")[0] for package in packages], ["halfulp", "libhalfulp-dev", "libhalfulp0.1"])
            found = subprocess.run([lintian, "--allow-root", "--no-tag-display-limit", "--profile", "debian", *map(str, packages)],
                                   cwd=folder, capture_output=True, text=True, check=False)
            self.assertEqual(found.stdout, "", found.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
