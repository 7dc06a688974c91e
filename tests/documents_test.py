#!/usr/bin/env python3
"""The documents fit the project: links, figures with the command that makes each, cases as they are in examples/cases.
Usage: documents_test.py PROJECT"""
import fnmatch
import importlib.machinery
import importlib.util
import json
import pathlib
import re
import sys
import unittest

ROOT = pathlib.Path(sys.argv.pop(1)).resolve() if len(sys.argv) > 1 and not sys.argv[1].startswith("-") else pathlib.Path(__file__).resolve().parents[1]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])


def without_code(text):
    text = re.sub(r"^```.*?^```", "", text, flags=re.M | re.S)
    return re.sub(r"(?m)^(?:    .*\n)+", "\n", text)


def anchors(page):
    """Those that GitHub and the site give to the headings."""
    found = set()
    for heading in re.findall(r"(?m)^#+ (.*)$", re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)):
        plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "")
        slug = re.sub(r"[^\w\- ]", "", plain.strip().lower()).replace(" ", "-")
        found.add(slug if slug not in found else f"{slug}-1")
    return found


def links(page):
    for label, target in re.findall(r"(!?\[[^\]]*\])\(([^)\s]+)\)", without_code(page.read_text(encoding="utf-8"))):
        if not re.match(r"[a-z]+:", target):
            yield label, target


def script(name):
    loader = importlib.machinery.SourceFileLoader(name, str(ROOT / "scripts" / name))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(name, loader))
    loader.exec_module(module)
    return module


def figures():
    return script("figures")


class Documents(unittest.TestCase):
    def test_links_lead_somewhere(self):
        for page in PAGES:
            for label, target in links(page):
                path, _, anchor = target.partition("#")
                there = (page.parent / path).resolve() if path else page
                with self.subTest(page=page.relative_to(ROOT), link=f"{label}({target})"):
                    self.assertTrue(there.exists())
                    if anchor and there.suffix == ".md":
                        self.assertIn(anchor, anchors(there))

    def test_sources_that_architecture_names_are_there(self):
        """The end of a path in backticks is that of a file."""
        sources = ["/" + str(path.relative_to(ROOT)) for top in ("core", "kernels", "precision", "python", "tests", "validation")
                   for path in (ROOT / top).rglob("*") if path.suffix in (".hpp", ".cpp", ".cu", ".cuh", ".py")]
        names = re.findall(r"`((?:[\w-]+/)*[\w-]+\.(?:hpp|cpp|cuh?|py))`", (ROOT / "docs/architecture.md").read_text(encoding="utf-8"))
        self.assertGreater(len(names), 150)
        for name in names:
            with self.subTest(name):
                self.assertTrue("NAME" in name or any(source.endswith("/" + name) for source in sources))

    def test_every_measurement_belongs_to_a_page(self):
        """scripts/origins tells of each; every pattern of its pages meets a file."""
        origins = script("origins")
        self.assertEqual([name for name in origins.files() if not origins.pages_of(name)], [])
        for page, patterns in origins.PAGES.items():
            self.assertTrue((ROOT / f"docs/{page}.md").exists(), page)
            for pattern in patterns:
                self.assertTrue(any(fnmatch.fnmatch(name, pattern) for name in origins.files()), pattern)

    def test_every_figure_has_a_command(self):
        """Each that the pages show can be made, each that can be made is shown, and what it is made from is there."""
        folder = ROOT / "docs/figures"
        shown = {str((page.parent / target).resolve().relative_to(folder)) for page in PAGES for _, target in links(page)
                 if (page.parent / target).resolve().is_relative_to(folder)}
        module = figures()
        there = {str(path.relative_to(folder)) for path in folder.rglob("*.*")}
        self.assertEqual(shown - set(module.FIGURES), set(), "shown, but scripts/figures has no command for them")
        self.assertEqual(set(module.FIGURES) - shown, set(), "in scripts/figures, but no page shows them")
        self.assertEqual(there ^ shown, set(), "shown, but not in docs/figures, or the other way round")
        for name, figure in module.FIGURES.items():
            with self.subTest(figure=name):
                for word in re.findall(r"\S+/\S+\.\w+", figure.command):
                    self.assertTrue((ROOT / word).exists(), word)
                self.assertTrue(figure.present(), "docs/measured/figures has no table for it")
                if hasattr(figure, "script"):
                    self.assertTrue((ROOT / f"validation/{figure.script}.py").exists())

    def test_tables_are_of_figures(self):
        module = figures()
        wanted = {table for figure in module.FIGURES.values() for table in getattr(figure, "tables", [])}
        there = {path.name for path in module.TABLES.glob("*.csv")}
        self.assertEqual(there - wanted, set())
        origins = json.loads(module.ORIGINS.read_text(encoding="utf-8"))
        self.assertEqual(set(origins), there)
        for name, origin in origins.items():
            self.assertRegex(origin["program"], r"^halfulp \S+ \(commit [0-9a-f]{40}", name)

    def test_experiments_are_those_of_their_script(self):
        """Each run that is kept is one of scripts/measure-experiments, by the command that it has now."""
        module = script("measure-experiments")
        runs = {module.name_of(run): run for run in module.RUNS}
        kept = json.loads((ROOT / "docs/measured/experiments.json").read_text(encoding="utf-8"))
        self.assertEqual(set(kept) - set(runs), set())
        page = (ROOT / "docs/experiments.md").read_text(encoding="utf-8")
        for name in set(runs) - set(kept):
            self.assertRegex(page, rf"Not carried out yet: .*`{name}`")
        for name, one in kept.items():
            self.assertEqual(one["command"].split(), ["halfulp", *module.command_of(runs[name], "DIR")], name)
            self.assertRegex(one["program"], r"^halfulp \S+ \(commit [0-9a-f]{40}, tree clean\)$", name)
            self.assertTrue(one["scores"], name)

    def test_cases_are_shown_as_they_are(self):
        """Each case of examples/cases stands in a page, but for the comment that opens it."""
        text = "\n".join(page.read_text(encoding="utf-8") for page in PAGES)
        for case in sorted(ROOT.glob("examples/cases/*.toml")):
            with self.subTest(case=case.name):
                shown = "```toml\n" + re.sub(r"\A(#.*\n)+", "", case.read_text(encoding="utf-8")) + "```"
                self.assertTrue(shown in text, "no page shows it as it is")

    def test_every_page_is_in_the_site(self):
        named = set(re.findall(r"(?m)^ +- [^:\n]+: (\S+\.md)$", (ROOT / "mkdocs.yml").read_text(encoding="utf-8")))
        for page in ROOT.glob("docs/**/*.md"):
            name = str(page.relative_to(ROOT / "docs"))
            if not name.startswith("paper/"):
                self.assertIn(name, named, "mkdocs.yml has no entry for it in nav")


class Citations(unittest.TestCase):
    def test_archives_are_told_what_is_true(self):
        """.zenodo.json has what Zenodo asks of software and agrees with CITATION.cff and with the version of the sources."""
        zenodo = json.loads((ROOT / ".zenodo.json").read_text(encoding="utf-8"))
        citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
        self.assertLessEqual({"title", "description", "upload_type", "creators", "license", "access_right"}, set(zenodo))
        self.assertEqual(zenodo["upload_type"], "software")
        self.assertTrue(all(creator["name"] for creator in zenodo["creators"]))
        version = re.search(r"project\(halfulp VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")).group(1)
        self.assertEqual((zenodo["version"], re.search(r"(?m)^version: (.*)$", citation).group(1)), (version, version))
        for key in ("title", "license"):
            self.assertEqual(zenodo[key], re.search(rf'(?m)^{key}: "?(.*?)"?$', citation).group(1))
        self.assertEqual([creator["name"] for creator in zenodo["creators"]], re.findall(r"(?m)^  - name: (.*)$", citation))

    def test_the_paper_cites_what_its_list_has(self):
        paper = (ROOT / "docs/paper/paper.md").read_text(encoding="utf-8")
        listed = re.findall(r"(?m)^@\w+\{(\w+),$", (ROOT / "docs/paper/paper.bib").read_text(encoding="utf-8"))
        cited = re.findall(r"@(\w+)", paper.split("---", 2)[2])
        self.assertEqual(sorted(set(cited)), sorted(listed))
        for section in ("Summary", "Statement of need", "State of the field", "Software design", "References"):
            self.assertRegex(paper, rf"(?m)^# {section}$")


if __name__ == "__main__":
    unittest.main()
